import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { formatAnswer, toRecordWriter } from "../../../src/cli/output/format.ts";
import { outputForms } from "../../../src/cli/output/options.ts";
import { answer, customer, job, jobFields, jobList, options, page } from "./records.ts";

const piped = options({ isTerminal: false, knownFields: jobFields });

describe("json", () => {
  const json = { ...piped, form: "json" } as const;

  test("is byte for byte the text of the answer and a line break, if the output is not a terminal", async () => {
    const text = '{"price": 1.50,"id":1}';
    const { stdout, note } = await formatAnswer({ value: JSON.parse(text), text }, json);
    expect(stdout).toBe(`${text}\n`);
    expect(note).toBeNull();
  });

  test("is indented on a terminal", async () => {
    const { stdout } = await formatAnswer(answer({ id: 1, tags: [] }), { ...json, isTerminal: true });
    expect(stdout).toBe('{\n  "id": 1,\n  "tags": []\n}\n');
  });

  test("selects fields inside the records of a list and keeps the paging", async () => {
    const list = page([job(1001), job(1002)], { limit: 2, index: 1, count: 5 });
    const { stdout } = await formatAnswer(answer(list), { ...json, fields: ["id", "customer.name"] });
    expect(JSON.parse(stdout)).toEqual({
      ...list,
      results: [
        { id: 1001, customer: { name: "Acme Recycling & Waste Co." } },
        { id: 1002, customer: { name: "Acme Recycling & Waste Co." } },
      ],
    });
    expect(stdout.indexOf("current_limit")).toBeLessThan(stdout.indexOf("results"));
  });

  test("selects fields of a record and of a bare array", async () => {
    const fields = ["type", "id"];
    expect((await formatAnswer(answer(job(1)), { ...json, fields })).stdout).toBe('{"type":"D","id":1}\n');
    expect((await formatAnswer(answer([job(1)]), { ...json, fields })).stdout).toBe(
      '[{"type":"D","id":1}]\n',
    );
  });
});

describe("ndjson", () => {
  const ndjson = { ...piped, form: "ndjson" } as const;

  test("is one record per line, for a list, an array and a record", async () => {
    const line = `${JSON.stringify(job(1))}\n`;
    const list = page([job(1), job(1)], { limit: 2, index: 1, count: 2 });
    expect((await formatAnswer(answer(list), ndjson)).stdout).toBe(line + line);
    expect((await formatAnswer(answer([job(1)]), ndjson)).stdout).toBe(line);
    expect((await formatAnswer(answer(job(1)), ndjson)).stdout).toBe(line);
  });

  test("is empty for an empty list", async () => {
    const empty = page([], { limit: 2, index: 1, count: 0 });
    expect((await formatAnswer(answer(empty), ndjson)).stdout).toBe("");
  });
});

describe("yaml", () => {
  test("reads back as the answer, and quotes texts that older readers would misread", async () => {
    const value = { ...customer(), country: "NO", code: "0123", answer: "yes", list: jobList() };
    const { stdout } = await formatAnswer(answer(value), { ...piped, form: "yaml" });
    expect(parse(stdout)).toEqual(value);
    expect(stdout).toContain('country: "NO"\n');
    expect(stdout).toContain('code: "0123"\n');
    expect(stdout).toContain('answer: "yes"\n');
  });
});

describe("writing record by record", () => {
  test.each(["ndjson", "csv"] as const)("prints as %s the same as for a whole list", async (form) => {
    const list = jobList();
    const fields = ["id", "customer"];
    const writer = toRecordWriter(form, { ...piped, fields });
    const lines = list.results.map(writer.toLine).join("");
    const { stdout } = await formatAnswer(answer(list), { ...piped, form, fields });
    expect(writer.head + lines).toBe(stdout);
  });
});

describe("data that is hostile to terminals", () => {
  const hostile = [
    ...[
      "\x1b[2J\x1b[31m",
      "\x1b]0;title\x07",
      "\x1b]8;;http://evil.example\x1b\\link",
      "\x9b31m",
      "\x90q\x9c",
    ],
    ...["\x7f\b\b\b", "over\rwritten", "two\nlines\u2028three\u0085", "\u202etxt.exe", "half \ud800"],
  ];
  const record = Object.fromEntries(hostile.map((text, index) => [`field_${index}`, text]));
  const value = { ...record, "\x1b[31mkey": 1, list: hostile, nested: { ...record }, rows: [record] };

  test.each(outputForms)("never controls one as %s", async (form) => {
    const knownFields = Object.keys(value);
    for (const content of [value, [value], page([value], { limit: 1, index: 1, count: 2 })]) {
      const { stdout, note } = await formatAnswer(answer(content), options({ form, knownFields }));
      expect(stdout.replaceAll("\r\n", "\n")).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202e]/u);
      expect(note ?? "").not.toMatch(/\p{Cc}/u);
    }
  });

  test("is shown literally", async () => {
    const { stdout } = await formatAnswer(answer({ note: "a\x1b[31m\x9b\u202eb\tc" }), options());
    expect(stdout).toBe("note  a\\x1b[31m\\x9b\\u202eb\\tc\n");
  });

  test("stays unchanged in json on a terminal", async () => {
    const { stdout } = await formatAnswer(answer(value), options({ form: "json" }));
    expect(JSON.parse(stdout)).toEqual(value);
  });

  test("stays unchanged in json, ndjson, csv and yaml if the output is not a terminal", async () => {
    const note = "\x9b31m\u202e";
    for (const form of ["json", "ndjson", "csv"] as const) {
      const { stdout } = await formatAnswer(answer({ note }), { ...piped, form, knownFields: ["note"] });
      expect(stdout).toContain(note);
    }
    const { stdout } = await formatAnswer(answer({ note }), { ...piped, form: "yaml" });
    expect(parse(stdout)).toEqual({ note });
  });
});
