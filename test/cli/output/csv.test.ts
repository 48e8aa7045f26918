import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/cli/output/answer.ts";
import { formatAnswer } from "../../../src/cli/output/format.ts";
import { answer, customer, job, jobFields, options, page } from "./records.ts";

const toCsv = async (value: JsonValue, knownFields: string[], fields: string[] | null = null) => {
  const csv = options({ form: "csv", isTerminal: false, knownFields, fields });
  return (await formatAnswer(answer(value), csv)).stdout;
};

describe("csv", () => {
  test("has a header and one row for each record, each with CR LF", async () => {
    const list = page([job(1001), job(1002)], { limit: 2, index: 1, count: 2 });
    expect(await toCsv(list, ["id", "type", "is_completed"])).toBe(
      "id,type,is_completed\r\n1001,D,false\r\n1002,D,true\r\n",
    );
  });

  test("quotes commas, quotes and line breaks, and nothing else", async () => {
    const record = { a: 'say "hi"', b: "x,y", c: "one\ntwo\r", d: " plain ; é\t", e: -1 };
    expect(await toCsv(record, ["a", "b", "c", "d", "e"])).toBe(
      'a,b,c,d,e\r\n"say ""hi""","x,y","one\ntwo\r", plain ; é\t,-1\r\n',
    );
  });

  test("distinguishes null from an empty text", async () => {
    expect(await toCsv({ a: null, b: "", c: 0 }, ["a", "b", "c", "d"])).toBe('a,b,c,d\r\n,"",0,\r\n');
  });

  test("never writes an empty line, which readers skip", async () => {
    expect(await toCsv([{ a: null }, { a: 1 }], ["a"])).toBe('a\r\n""\r\n1\r\n');
  });

  test("has the same columns for any first record, with dots for nested fields", async () => {
    const heading = jobFields.join(",");
    const withoutCustomer = { ...job(1), customer: null };
    expect((await toCsv([withoutCustomer], jobFields)).split("\r\n")[0]).toBe(heading);
    expect(await toCsv(page([], { limit: 1, index: 1, count: 0 }), jobFields)).toBe(`${heading}\r\n`);
  });

  test("shows the nested fields instead of their parent", async () => {
    expect(await toCsv(job(1), ["customer", "customer.id", "id"])).toBe("customer.id,id\r\n-999,1\r\n");
  });

  test("writes arrays as JSON", async () => {
    const contacts = [{ id: 1, name: "Ann" }];
    const csv = await toCsv({ ...customer(), contacts, tags: [] }, ["contacts", "tags"]);
    expect(csv).toBe('contacts,tags\r\n"[{""id"":1,""name"":""Ann""}]",[]\r\n');
  });

  test("selects fields in the given order; a parent selects all its fields", async () => {
    expect(await toCsv(job(1001), jobFields, ["type", "customer"])).toBe(
      "type,customer.id,customer.name,customer.note\r\nD,1,Acme Recycling & Waste Co.,\r\n",
    );
  });
});
