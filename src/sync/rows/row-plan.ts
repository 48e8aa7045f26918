import type { Operation } from "../../core/operation.ts";
import type { Violation } from "../../errors/errors.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { JsonObject } from "../../versions/change.ts";
import type { Importable } from "./row-kind.ts";

/** Where and when a plan is made. */
export interface PlanSetting {
  importable: Importable;
  locationId: number;
  now: Timestamp;
}

/** What one row asks for, compared with the record that is there. */
export type RowPlan =
  | { action: "create"; body: JsonObject; calls: PlannedCall[] }
  | { action: "update"; id: number; changes: FieldChange[]; calls: PlannedCall[] }
  | { action: "same"; id: number }
  | { action: "reject"; violations: Violation[] };

export type RowAction = RowPlan["action"];

/** A field that would change; `before` and `after` as answers show them. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** A call that carries out a part of a plan. */
export interface PlannedCall {
  operation: Operation;
  /** Its path parameters; `id` is the record's, which the first call of a creation gives. */
  params(id: number): Readonly<Record<string, string>>;
  body: JsonObject;
  /** It works on the record that the call before it creates, so that it cannot be tried without that one. */
  needsRecord: boolean;
}

export function toReject(code: Violation["code"], detail: string, field: string | null = null): RowPlan {
  return { action: "reject", violations: [{ code, detail, field }] };
}

/** Path parameters are text. */
export function toParams(ids: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]));
}

/** For a new record null says no more than nothing. */
export function dropNull(said: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}

/** The fields for which a rule holds, and the others. */
export function split(said: JsonObject, rule: (name: string) => boolean): [JsonObject, JsonObject] {
  const entries = Object.entries(said);
  return [
    Object.fromEntries(entries.filter(([name]) => rule(name))),
    Object.fromEntries(entries.filter(([name]) => !rule(name))),
  ];
}
