import type { Violation } from "../../errors/errors.ts";
import type { Shape } from "../../models/model.ts";
import { parseModel } from "../../models/parse.ts";
import type { JsonObject } from "../../versions/change.ts";
import { compareFields, plainNaming, toBody } from "./compare-fields.ts";
import { planCustomer } from "./plan-customer.ts";
import type { Importable } from "./row-kind.ts";
import { dropNull, type PlannedCall, type PlanSetting, type RowPlan, split, toParams } from "./row-plan.ts";
import type { Draft } from "./to-draft.ts";

/**
 * What it takes to make a record as a draft says: a call that creates it, calls that change the one that is there, or
 * nothing. Everything that its models can tell is told now.
 */
export function planRecord(setting: PlanSetting, draft: Draft, record: JsonObject | null): RowPlan {
  if (setting.importable.noun === "customers") return planCustomer(setting, draft, record);
  return record ? planUpdate(setting, draft.record, record) : planCreate(setting, draft.record);
}

function planCreate({ importable, locationId, now }: PlanSetting, said: JsonObject): RowPlan {
  const { create, update } = importable;
  const taken = shapeOf(create.body);
  const [own, later] = split(said, (name) => Object.hasOwn(taken, name));
  const parsed = parseModel(requireBody(create.body), dropNull(own), now, plainNaming);
  const after = parseModel(requireBody(update.body), dropNull(later), now, plainNaming);
  const violations = [...parsed.violations, ...after.violations];
  if (parsed.value === null || after.value === null) return { action: "reject", violations };
  const calls: PlannedCall[] = [
    {
      operation: create,
      params: () => toParams({ location_id: locationId }),
      body: parsed.value,
      needsRecord: false,
    },
  ];
  // A new record is as the creation makes it: only what differs from that is said once more.
  const differing = Object.fromEntries(Object.entries(after.value).filter(([, value]) => value === true));
  if (Object.keys(differing).length > 0)
    calls.push({ ...toUpdateCall(importable, locationId, differing), needsRecord: true });
  return { action: "create", body: { ...parsed.value, ...differing }, calls };
}

function planUpdate(
  { importable, locationId, now }: PlanSetting,
  said: JsonObject,
  record: JsonObject,
): RowPlan {
  const { changes, violations } = compareFields(importable, record, said, now);
  const taken = shapeOf(importable.update.body);
  const fixed = changes.filter(({ field }) => !Object.hasOwn(taken, field));
  const all = [...violations, ...fixed.map(({ field, before, after }) => toFixed(field, before, after))];
  if (all.length > 0) return { action: "reject", violations: all };
  const id = Number(record.id);
  if (changes.length === 0) return { action: "same", id };
  const call = { ...toUpdateCall(importable, locationId, toBody(changes)), needsRecord: false };
  return { action: "update", id, changes, calls: [call] };
}

function toUpdateCall({ update, noun }: Importable, locationId: number, body: JsonObject) {
  const own = `${noun.slice(0, -1)}_id`;
  return {
    operation: update,
    params: (id: number) => toParams({ location_id: locationId, [own]: id }),
    body,
  };
}

function toFixed(field: string, before: unknown, after: unknown): Violation {
  const detail = `${field} is ${JSON.stringify(before)} and cannot be changed to ${JSON.stringify(after)}.`;
  return { code: "state_conflict", detail, field };
}

function requireBody<T>(body: T | null): T {
  if (body === null) throw new Error("Records are imported by operations that take a body.");
  return body;
}

const shapeOf = (body: { shape: Shape } | null): Shape => requireBody(body).shape;
