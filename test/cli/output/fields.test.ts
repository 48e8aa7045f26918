import { describe, expect, test } from "vitest";
import { formatError } from "../../../src/cli/output/error-text.ts";
import { parseFields, toLeafFields, UnknownFieldError } from "../../../src/cli/output/fields.ts";
import { pickFields } from "../../../src/models/chosen-fields.ts";
import { customer, job, jobFields } from "./records.ts";

describe("--fields", () => {
  test("keeps the given order and removes repeated fields", () => {
    expect(parseFields("type, id,customer.name,id", jobFields)).toEqual(["type", "id", "customer.name"]);
  });

  test("accepts the parent of known fields, which covers all of them", () => {
    expect(parseFields("customer.name,customer,id", jobFields)).toEqual(["customer", "id"]);
  });

  test("refuses unknown fields, all at once, with the nearest of each and the list of known ones", async () => {
    const error = catchError(() => parseFields("id,custmer.name,typ,zzzzzzzzzzzz", jobFields));
    if (!(error instanceof UnknownFieldError)) throw error;
    expect(await formatError(error, { color: false })).toMatchInlineSnapshot(`
      "error: Unknown fields in --fields
        why: no field "custmer.name"; did you mean customer.name?
        why: no field "typ"; did you mean type?
        why: no field "zzzzzzzzzzzz"
        fix: Choose from customer, customer.id, customer.name, customer.note, dispatch_priority, driver_notes, id, images, is_completed, reference_number, schedule_date, truck_id, type.
      "
    `);
  });

  test("refuses an empty list", () => {
    expect(() => parseFields(" , ", jobFields)).toThrow("No fields in --fields");
  });

  test("refuses the names of inherited properties", () => {
    expect(() => parseFields("constructor", jobFields)).toThrow(UnknownFieldError);
    expect(() => parseFields("__proto__", jobFields)).toThrow(UnknownFieldError);
  });
});

describe("picking fields", () => {
  test("keeps nested fields nested", () => {
    expect(JSON.stringify(pickFields(job(1001), ["type", "customer.note", "id", "customer.id"]))).toBe(
      '{"type":"D","customer":{"note":null,"id":1},"id":1001}',
    );
  });

  test("returns all of a parent", () => {
    expect(pickFields(job(1001), ["customer"])).toEqual({ customer: job(1001).customer });
  });

  test("returns null for a field of a null parent, and does not change the record", () => {
    const record = { ...customer(), parent: null };
    const before = structuredClone(record);
    expect(pickFields(record, ["parent.name", "parent.id"])).toEqual({ parent: null });
    expect(record).toEqual(before);
  });
});

test("the columns of a parent are its fields", () => {
  expect(toLeafFields(["id", "customer"], jobFields)).toEqual([
    "id",
    "customer.id",
    "customer.name",
    "customer.note",
  ]);
  expect(toLeafFields(["a", "a.b", "a.b.c"], ["a", "a.b", "a.b.c"])).toEqual(["a.b.c"]);
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown.");
}
