import type * as z from "zod";
import { isSame } from "../../core/changes.ts";
import type { Violation } from "../../errors/errors.ts";
import type { Shape } from "../../models/model.ts";
import { type InputNaming, parseModel } from "../../models/parse.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { JsonObject } from "../../versions/change.ts";
import type { FieldChange } from "./row-plan.ts";

/** How a record is compared. */
export interface Comparing {
  /** Checks what is said; every field of it is optional. */
  model: z.ZodObject<Shape>;
  /** The model that the record is answered in. */
  answer: z.ZodObject<Shape>;
  /** Where null says nothing. */
  filled?: ReadonlySet<string>;
}

/** What differs between a record and what is said of it, or everything that is wrong with what is said. */
export interface Comparison {
  changes: FieldChange[];
  violations: Violation[];
}

/** Names in messages are the fields' own. */
export const plainNaming: InputNaming = { prefix: "", unknownCode: "unknown_field" };

/**
 * Compares what is said of a record with the record. A field that is not spoken of stays; null empties it, unless it
 * always has a value. What is said already in the record's own words is not judged again: a date that was in the future
 * when it was given may have passed.
 */
export function compareFields(
  { model, answer, filled }: Comparing,
  record: JsonObject,
  said: JsonObject,
  now: Timestamp,
): Comparison {
  const isSilent = (name: string, value: unknown) =>
    value === null && (answer.shape[name]?.type !== "nullable" || filled?.has(name));
  const open = Object.entries(said).filter(
    ([name, value]) => !isSilent(name, value) && !isSame(record[name], value),
  );
  if (open.length === 0) return { changes: [], violations: [] };
  const parsed = parseModel(model, Object.fromEntries(open), now, plainNaming);
  const { value: read } = parsed;
  if (read === null) return { changes: [], violations: parsed.violations };
  const changes = open
    .filter(([name]) => !isSame(record[name], read[name]))
    .map(([field]) => ({ field, before: record[field] ?? null, after: read[field] }));
  return { changes, violations: [] };
}

/** The fields that change, as the body of an operation. */
export function toBody(changes: readonly FieldChange[]): JsonObject {
  return Object.fromEntries(changes.map(({ field, after }) => [field, after]));
}
