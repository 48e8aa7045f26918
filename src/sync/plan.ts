import type { Operation } from "../core/operation.ts";
import type { Violation } from "../errors/errors.ts";
import type { JsonObject } from "../models/json.ts";
import type { FieldChange } from "./compare-fields.ts";
import type { ExpectedState } from "./expected-state.ts";
import type { References } from "./placeholders.ts";
import type { Body } from "./snapshot-record.ts";

export type Plan =
  | { action: "create"; body: Body; calls: ToCalls }
  | { action: "update"; id: number; changes: readonly FieldChange[]; calls: ToCalls }
  /** Differs only in fields that no operation can write. */
  | { action: "readOnly"; id: number; changes: readonly FieldChange[] }
  | { action: "same"; id: number }
  | { action: "reject"; violations: readonly Violation[] };

export type Action = Plan["action"];

/** After `refuse`, the other calls continue. */
export type ToCalls = (refuse: Refuse) => Calls;

export type Refuse = (violations: readonly Violation[]) => void;

/** Each call receives the response of the previous one. A refusal is thrown into the generator. */
export type Calls = Generator<PlannedCall, void, JsonObject>;

export interface PlannedCall {
  operation: Operation;
  /** The parameters of its path, among other fields. */
  path: JsonObject;
  body: Body | undefined;
  /** The call fails if the record has another state. Absent for a creation. */
  expected?: ExpectedState;
  /** Needs a record that an earlier call creates, so a dry run skips it. */
  needsRecord?: true;
  /** Runs after all other calls, when the placeholders in these fields have ids. */
  late?: { references: References };
}

export function toReject(code: Violation["code"], detail: string, field: string | null = null): Plan {
  return { action: "reject", violations: [{ code, detail, field }] };
}
