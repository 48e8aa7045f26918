import type { Operation } from "../core/operation.ts";
import type { Violation } from "../errors/errors.ts";
import type { JsonObject } from "../models/json.ts";
import type { FieldChange } from "./compare-fields.ts";
import type { ExpectedState } from "./expected-state.ts";
import type { References } from "./placeholders.ts";
import type { Body } from "./snapshot-record.ts";

/** The planned result for a record of the source. */
export type Plan =
  | { action: "create"; body: Body; calls: ToCalls }
  | { action: "update"; id: number; changes: readonly FieldChange[]; calls: ToCalls }
  /** It differs only in fields that no operation can write. */
  | { action: "readOnly"; id: number; changes: readonly FieldChange[] }
  | { action: "same"; id: number }
  | { action: "reject"; violations: readonly Violation[] };

export type Action = Plan["action"];

/** Starts the calls of a plan. After `refuse`, the other calls continue. */
export type ToCalls = (refuse: Refuse) => Calls;

/** Receives the refusals of the target for a record. */
export type Refuse = (violations: readonly Violation[]) => void;

/**
 * The calls of a plan, in order. Each receives the answer of the call before; a refused call is thrown into the
 * generator.
 */
export type Calls = Generator<PlannedCall, void, JsonObject>;

/** One call of a plan. */
export interface PlannedCall {
  operation: Operation;
  /** The parameters of its path, among other fields. */
  path: JsonObject;
  body: Body | undefined;
  /** The state on which the plan is based: the call fails if the record has another one. Absent for a creation. */
  expected?: ExpectedState;
  /** It needs the record that an earlier call creates, so a dry run skips it. */
  needsRecord?: true;
  /** Runs after all other calls, when the placeholders in these fields of the body have ids. */
  late?: { references: References };
}

/** A plan that rejects the record for one reason. */
export function toReject(code: Violation["code"], detail: string, field: string | null = null): Plan {
  return { action: "reject", violations: [{ code, detail, field }] };
}
