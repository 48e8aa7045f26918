import type { Operation } from "../core/operation.ts";
import type { Violation } from "../errors/errors.ts";
import type { JsonObject } from "../models/json.ts";
import type { FieldChange } from "./compare-fields.ts";
import type { ExpectedState } from "./expected-state.ts";
import type { References } from "./placeholders.ts";
import type { Body } from "./snapshot-record.ts";

/** What becomes of a record of the source. */
export type Plan =
  | { action: "create"; body: Body; calls: ToCalls }
  | { action: "update"; id: number; changes: readonly FieldChange[]; calls: ToCalls }
  /** It differs, but in nothing that an operation can write. */
  | { action: "readOnly"; id: number; changes: readonly FieldChange[] }
  | { action: "same"; id: number }
  | { action: "reject"; violations: readonly Violation[] };

export type Action = Plan["action"];

/** Begins the calls that carry out a plan. A refusal that is told to `refuse` lets the other calls go on. */
export type ToCalls = (refuse: Refuse) => Calls;

/** Takes what the target refuses of a record. */
export type Refuse = (violations: readonly Violation[]) => void;

/**
 * The calls of a plan, one after the other. Each is given the answer of the one before, so that the plan can go by it; a
 * call that the target refuses is thrown in its place.
 */
export type Calls = Generator<PlannedCall, void, JsonObject>;

/** One call of a plan. */
export interface PlannedCall {
  operation: Operation;
  /** What its path names, among other fields. */
  path: JsonObject;
  body: Body | undefined;
  /** What it was planned from: it is made to a record in that state only. Absent where it creates something. */
  expected?: ExpectedState;
  /** It works on the record that the call before it creates, so that a dry run must leave it out. */
  needsRecord?: true;
  /** Done when everything else is there; placeholders in these fields of the body are ids by then. */
  late?: { references: References };
}

/** A plan that rejects the record for one reason. */
export function toReject(code: Violation["code"], detail: string, field: string | null = null): Plan {
  return { action: "reject", violations: [{ code, detail, field }] };
}
