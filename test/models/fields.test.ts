import { describe, expect, it } from "vitest";
import { boolean, id, integer, number, text, timestamp } from "../../src/models/fields.ts";
import { defineModel, list, optional } from "../../src/models/model.ts";
import { fromText, parseModel } from "../../src/models/parse.ts";

const now = "2026-11-21T12:00:00.000000";
const naming = { prefix: "Model.", unknownCode: "unknown_field" } as const;

const Inner = defineModel("FieldsInner", { at: optional(timestamp("past")), count: integer(0, 5) });
const Model = defineModel("FieldsModel", {
  at: optional(timestamp("future")),
  flag: optional(boolean()),
  inner: optional(Inner),
  items: optional(list(Inner, { max: 2 })),
  name: text(2, 4),
  words: optional(list(text(1, 3), { distinct: true })),
});

const parse = (value: unknown) => parseModel(Model, value, now, naming);
const violationsOf = (value: unknown) => parse(value).violations.map(({ code, field }) => [code, field]);

describe("text", () => {
  // One code point each, of one, two, three and four UTF-8 bytes.
  it.each(["a", "é", "€", "😀", "𠮷"])("counts code points: %s", (letter) => {
    const outcomes = [0, 1, 2, 3, 4, 5, 6, 9].map((length) => violationsOf({ name: letter.repeat(length) }));
    const short = [["too_short", "Model.name"]];
    const long = [["too_long", "Model.name"]];
    expect(outcomes).toEqual([short, short, [], [], [], long, long, long]);
  });

  it("counts code points: a combining mark counts separately", () => {
    expect(violationsOf({ name: "e\u0301e\u0301" })).toEqual([]);
    expect(violationsOf({ name: "e\u0301e\u0301e" })).toEqual([["too_long", "Model.name"]]);
  });
});

describe("a model", () => {
  it("returns its fields as they are stored", () => {
    const value = {
      at: "2026-11-22",
      flag: "TRUE",
      inner: { at: null, count: 5 },
      name: "abc",
      words: ["a", "b"],
    };
    expect(parse(value)).toEqual({
      value: { ...value, at: "2026-11-22T00:00:00.000000", flag: true },
      violations: [],
    });
  });

  it("reports every violation, with its path, including dates", () => {
    const value = {
      at: "2026-11-20",
      colour: "red",
      inner: { at: "2026-11-22", count: 6, depth: 1 },
      items: [{ at: "never", count: "1" }, null],
      words: ["a", "abcd", "a"],
    };
    expect(new Set(violationsOf(value).map(String))).toEqual(
      new Set([
        "not_future,Model.at",
        "unknown_field,Model.colour",
        "not_past,Model.inner.at",
        "too_big,Model.inner.count",
        "unknown_field,Model.inner.depth",
        "invalid_date,Model.items[0].at",
        "wrong_type,Model.items[0].count",
        "missing_value,Model.items[1]",
        "too_long,Model.words[1]",
        "repeated_value,Model.words",
        "missing_value,Model.name",
      ]),
    );
  });

  it("reports only the length of a list that is too long, together with other violations", () => {
    const items = [{ count: 1 }, { at: "never", count: "1" }, null];
    expect(new Set(violationsOf({ items }).map(String))).toEqual(
      new Set(["too_many,Model.items", "missing_value,Model.name"]),
    );
  });

  it("accepts only a plain object", () => {
    for (const value of [[], "text", 1, true]) expect(violationsOf(value)).toEqual([["wrong_type", "Model"]]);
    for (const value of [null, undefined]) expect(violationsOf(value)).toEqual([["missing_value", "Model"]]);
  });

  it("judges dates by the time of the request", () => {
    const at = (moment: string, value: object) =>
      parseModel(Model, { name: "abc", ...value }, moment, naming);
    const future = { at: "2026-11-21T12:00:00.000001" };
    expect(at(now, future).violations).toEqual([]);
    expect(at(future.at, future).violations).toMatchObject([{ code: "not_future", field: "Model.at" }]);
    const past = { inner: { at: now, count: 0 } };
    expect(at(now, past).violations).toEqual([]);
    expect(at("2026-11-21T11:59:59.999999", past).violations).toMatchObject([{ code: "not_past" }]);
  });
});

describe("parameters, which are text", () => {
  const shape = {
    count: optional(integer()),
    flag: optional(boolean()),
    id: optional(id()),
    weight: optional(number()),
  };
  const Parameters = defineModel("Parameters", shape);
  const read = (texts: Record<string, string>) => {
    const result = parseModel(Parameters, fromText(shape, texts), now, {
      prefix: "",
      unknownCode: "unknown_parameter",
    });
    return result.value ?? result.violations.map(({ code, field }) => [code, field]);
  };

  it("are converted to the values of their fields", () => {
    expect(read({ count: "-12", flag: "False", id: "7", weight: "-2.50e1" })).toEqual({
      count: -12,
      flag: false,
      id: 7,
      weight: -25,
    });
    expect(read({ count: "007" })).toEqual([["wrong_type", "count"]]);
    expect(read({ count: "-0" })).toEqual([["wrong_type", "count"]]);
  });

  it.each(["", " ", "1.0", "1e3", " 1", "1\n", "+1", "--1", "0x1", "1_000", "1,000", "Infinity", "١٢"])(
    "refuse %j as an Integer",
    (value) => {
      expect(read({ count: value })).toEqual([["wrong_type", "count"]]);
    },
  );

  it.each(["9007199254740992", "9".repeat(30), "9".repeat(400)])("%s is not a safe Integer", (value) => {
    expect(read({ count: value })).toMatchObject([
      [expect.stringMatching(/^(too_big|wrong_type)$/), "count"],
    ]);
  });

  it.each(["", "1e999", ".5", "5.", "NaN", "1e", "abc"])("%j is not a number", (value) => {
    expect(read({ weight: value })).toEqual([["wrong_type", "weight"]]);
  });

  it("that are unknown are named", () => {
    expect(read(Object.fromEntries([["__proto__", "1"]]))).toEqual([["unknown_parameter", "__proto__"]]);
    expect(read({ toString: "1" })).toEqual([["unknown_parameter", "toString"]]);
  });
});
