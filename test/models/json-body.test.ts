import { describe, expect, it } from "vitest";
import { DispatchError } from "../../src/errors/errors.ts";
import { parseJsonBody } from "../../src/models/json-body.ts";

const mebibyte = 1024 * 1024;

function refusalOf(body: string | Uint8Array, partsMax?: number): [code: string, detail: string] {
  try {
    parseJsonBody(body, partsMax);
  } catch (error) {
    if (error instanceof DispatchError) return [error.code, error.message];
    throw error;
  }
  throw new Error("The body was taken.");
}

describe("a JSON body", () => {
  it.each([
    "{}",
    "[]",
    "null",
    "0",
    '"text"',
    ' \t\r\n{ "a" : [ 1 , 2.5e-3 , true , null ] } ',
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '{"":1," ":2}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a\\"b":1,"a":2}',
    '{"a\\\\":1,"a":2}',
    '{"A":1,"a":2}',
    '{"é":1,"e\u0301":2}',
    '{"a":["b","b","b"]}',
  ])("%s means the same as in JSON", (text) => {
    expect(parseJsonBody(text)).toEqual(JSON.parse(text));
    expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it("keeps __proto__ and constructor as plain keys", () => {
    const value = parseJsonBody('{"__proto__":{"admin":true},"constructor":1}') as object;
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect("admin" in value).toBe(false);
  });

  it.each([
    ['{"a":1,"a":1}', "a"],
    ['{"b":{"a":1,"c":[],"a":{}}}', "a"],
    ['[[{"a":[{"a":1}],"a":2}]]', "a"],
    ['{"a":1,"\\u0061":1}', "a"],
    ['{"":1,"":1}', ""],
    ['{"__proto__":1,"__proto__":1}', "__proto__"],
    ['{"a\\"b":1,"a\\u0022b":1}', 'a"b'],
    ['{"😀":1,"\\ud83d\\ude00":1}', "😀"],
    ['{"x":"}","a":1,"a":2}', "a"],
    ['{"x":",\\"a\\":","a":1,"a":2}', "a"],
  ])("%s repeats a key, and the detail names it", (text, key) => {
    expect(refusalOf(text)).toEqual([
      "malformed_json",
      `The body has the key ${JSON.stringify(key)} twice in one object.`,
    ]);
  });

  it("may be nested 32 deep, in objects, lists and both, and no deeper", () => {
    const nest = (depth: number, open: string[], close: string[]) =>
      Array.from({ length: depth }, (_, index) => open[index % open.length]).join("") +
      "1" +
      Array.from({ length: depth }, (_, index) => close[(depth - 1 - index) % close.length]).join("");
    for (const [open, close] of [
      [['{"a":'], ["}"]],
      [["["], ["]"]],
      [
        ['{"a":', "["],
        ["}", "]"],
      ],
    ] as const) {
      expect(JSON.stringify(parseJsonBody(nest(32, [...open], [...close])))).toHaveLength(
        nest(32, [...open], [...close]).length,
      );
      expect(refusalOf(nest(33, [...open], [...close]))).toEqual([
        "malformed_json",
        "The body is nested deeper than 32.",
      ]);
    }
  });

  it.each([
    ["fields", `{${Array.from({ length: 100 }, (_, index) => `"{:${index}":":"`).join(",")}}`],
    ["objects in a list", `[${"{},".repeat(99)}{}]`],
    ["lists in a list", `[${"[],".repeat(99)}[]]`],
    ["fields, whatever is wrong behind them", `{${'"a":1,'.repeat(100)}`],
  ])("has a maximum number of objects, lists and fields: %s", (_, text) => {
    expect(refusalOf(text, 100)).toEqual([
      "malformed_json",
      "The body has more than 100 objects, lists and fields in all.",
    ]);
    expect(() => parseJsonBody(text, 101)).not.toThrow(/objects, lists and fields/);
  });

  it.each([
    ["a byte that begins nothing", [0xff]],
    ["a character cut in two", [0xc3]],
    ["a surrogate half", [0xed, 0xa0, 0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
  ])("is UTF-8: not %s", (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(refusalOf(body)).toEqual(["malformed_json", "The body is not UTF-8 text."]);
  });

  it.each([
    "",
    " ",
    "{",
    '{"a"}',
    "{a:1}",
    "[1,]",
    "01",
    "1.",
    "+1",
    "undefined",
    "NaN",
    "'a'",
    "{}{}",
    '"\n"',
  ])("%j is not JSON", (text) => {
    expect(refusalOf(text)[0]).toBe("malformed_json");
  });

  it("of 1 MiB is parsed quickly, whatever its content", () => {
    const key = '"k":1';
    const bodies = [
      `"${"\\\\".repeat(mebibyte / 2 - 1)}"`,
      `"${'\\"'.repeat(mebibyte / 2 - 1)}"`,
      `[${"1,".repeat(mebibyte / 2 - 2)}1]`,
      `[${'"",'.repeat(mebibyte / 3 - 2)}1]`,
      `[${`{${key}},`.repeat(mebibyte / 9)}{}]`,
      `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
    ];
    for (const body of bodies) {
      const start = performance.now();
      parseJsonBody(body);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  });
});
