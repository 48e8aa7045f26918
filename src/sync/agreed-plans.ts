import { isSame } from "../models/json.ts";
import { type ActualRecord, toChangedSince } from "./expected-state.ts";
import type { LoadedKind } from "./load-kinds.ts";
import { type Plan, toReject } from "./plan.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";

/** The records that a user has seen before agreeing to their updates. Other updates are rejected. */
export interface AgreedPlans {
  /** Keeps the record that an update was planned for. */
  note(kind: LoadedKind, plan: Plan, actual: ActualRecord | null): Plan;
  /** Rejects a new plan if the record has changed since it was shown. */
  hold(kind: LoadedKind, plan: Plan, actual: ActualRecord | null): Plan;
}

/** No agreement yet. It keeps the records that differ, as they were. */
export function createAgreedPlans(): AgreedPlans {
  const agreed = new Map<string, SnapshotRecord>();
  const placeOf = ({ def }: LoadedKind, { record }: ActualRecord) => `${def.type} ${record.id}`;
  return {
    note(kind, plan, actual) {
      if (plan.action === "update" && actual) agreed.set(placeOf(kind, actual), actual.record);
      return plan;
    },
    hold(kind, plan, actual) {
      if (plan.action !== "update" || !actual) return plan;
      const before = agreed.get(placeOf(kind, actual));
      if (!before) return toReject("precondition_failed", notPlanned);
      const differing = findDiffering(kind, before, actual.record);
      if (differing.length === 0) return plan;
      return { action: "reject", violations: [toChangedSince(before, actual.record, differing)] };
    },
  };
}

const notPlanned = "It was created or changed after the plan was made, so the plan does not change it.";

function findDiffering({ fields, parts }: LoadedKind, before: SnapshotRecord, now: SnapshotRecord): string[] {
  const names = [...fields, ...parts.map(({ def }) => def.field)];
  return names.filter((name) => !isSame(before[name], now[name]));
}
