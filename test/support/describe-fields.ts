import { expect, it } from "vitest";
import type { ErrorBody } from "../../src/errors/errors.ts";
import type { Json } from "./builders.ts";
import { sqlite } from "./databases.ts";
import type { FieldCases } from "./field-cases.ts";
import type { Harness, HarnessAnswer } from "./harness.ts";

interface FieldsUnderTest {
  /**
   * The prefix of each field's name in violations, e.g. `CreateCustomerModel` or `CreateCustomerModel.addresses[0]`.
   */
  model: string;
  /** Cases by field name. Fields with the same cases may share a key: `line_2, line_3`. */
  fields: Readonly<Record<string, FieldCases>>;
  /** Sends a request that is valid except for these fields. */
  send(changes: Json): Promise<HarnessAnswer>;
  /** The part of the answer that holds the fields; by default all of it. */
  shown?(body: Json): unknown;
}

/**
 * Declares two tests per field: which values it accepts and returns, and which it refuses without storing anything.
 * Refusals run on one database, because the service refuses before it asks the database.
 */
export function describeFields(
  harness: Harness,
  { model, fields, send, shown = (body) => body }: FieldsUnderTest,
): void {
  const byField = Object.entries(fields).map(([key, cases]) => ({ names: key.split(", "), key, ...cases }));
  const each = (names: readonly string[], value: unknown) =>
    Object.fromEntries(names.map((name) => [name, value]));

  // Ids must exist to be accepted. The tests of each reference cover that.
  it.each(byField.filter(({ taken }) => taken.length > 0))(
    "$key accepts $rule, and returns the sent values",
    async ({ names, taken }) => {
      for (const [value, expected] of taken) {
        const { status, body } = await send(each(names, value));
        expect([value, status === 200 ? pick(shown(body as Json), names) : body]).toEqual([
          value,
          each(names, expected),
        ]);
      }
    },
  );

  if (harness.database === sqlite)
    it.each(byField)("$key refuses everything else, and stores nothing", async ({ names, refused }) => {
      const before = harness.store.rowCounts();
      for (const [value, code] of refused) {
        const violations = names.map((name) => [code, `${model}.${name}`]);
        expect([value, toOutcome(await send(each(names, value)))]).toEqual([value, [400, ...violations]]);
      }
      expect(harness.store.rowCounts()).toEqual(before);
    });
}

function pick(shown: unknown, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, (shown as Json)[name]]));
}

/** The status, and the code and field of each violation, sorted by field. */
function toOutcome({ status, body }: HarnessAnswer): unknown {
  if (status === 200) return body;
  const { errors } = body as ErrorBody;
  return [status, ...errors.map(({ code, field }) => [code, field]).toSorted()];
}
