import { describe, expect, it } from "vitest";
import type { ErrorBody } from "../../src/errors.ts";
import type { Bed, BedAnswer } from "./bed.ts";
import type { Json } from "./builders.ts";
import type { FieldCases } from "./field-cases.ts";

interface FieldsUnderTest {
  /** Put before each field's name in violations, e.g. `CreateCustomerModel` or `CreateCustomerModel.addresses[0]`. */
  model: string;
  fields: Readonly<Record<string, FieldCases>>;
  /** Sends a request that is in order but for these fields. */
  send(changes: Json): Promise<BedAnswer>;
  /** The part of the answer that holds the fields; by default all of it. */
  shown?(body: Json): unknown;
}

/** Declares two tests a field: what it takes and shows, and what it refuses without storing anything. */
export function describeFields(
  bed: Bed,
  { model, fields, send, shown = (body) => body }: FieldsUnderTest,
): void {
  describe.each(Object.entries(fields))("%s", (name, { rule, taken, refused }) => {
    // Ids of records are taken where a record has them; their own tests show that.
    if (taken.length > 0) {
      it(`takes ${rule}, and shows what was sent`, async () => {
        const outcomes = [];
        for (const [value] of taken) {
          const { status, body } = await send({ [name]: value });
          outcomes.push([value, status === 200 ? (shown(body as Json) as Json)[name] : body]);
        }
        expect(outcomes).toEqual(taken);
      });
    }

    it("refuses everything else, and stores nothing of it", async () => {
      const before = bed.store.rowCounts();
      const outcomes = [];
      for (const [value] of refused) outcomes.push([value, toOutcome(await send({ [name]: value }))]);
      const field = `${model}.${name}`;
      expect(outcomes).toEqual(
        refused.map(([value, code]) => [value, { status: 400, errors: [{ code, field }] }]),
      );
      expect(bed.store.rowCounts()).toEqual(before);
    });
  });
}

function toOutcome({ status, body }: BedAnswer) {
  if (status === 200) return body;
  const { errors } = body as ErrorBody;
  return { status, errors: errors.map(({ code, field }) => ({ code, field })) };
}
