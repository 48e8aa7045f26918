import { isSame } from "../models/json.ts";
import { type ActualRecord, toChangedSince } from "./expected-state.ts";
import type { LoadedKind } from "./load-kinds.ts";
import { type Plan, toReject } from "./plan.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";

/** What the updates were made from that somebody has agreed to, so that no others are made. */
export interface AgreedPlans {
  /** Notes the plan of a record, as it is shown. */
  note(kind: LoadedKind, plan: Plan, actual: ActualRecord | null): Plan;
  /** The plan made anew; rejected where it would change what is not as it was shown. */
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

const notPlanned =
  "It was made or changed after the plan was made, which does not change it. It was left as it is.";

function findDiffering({ fields, parts }: LoadedKind, before: SnapshotRecord, now: SnapshotRecord): string[] {
  const names = [...fields, ...parts.map(({ def }) => def.field)];
  return names.filter((name) => !isSame(before[name], now[name]));
}
