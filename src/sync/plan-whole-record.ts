import type { Timestamp } from "../runtime/clock.ts";
import type { SaidPart } from "./compare-fields.ts";
import type { ActualRecord } from "./expected-state.ts";
import type { LoadedKind } from "./load-kinds.ts";
import { type Known, type KnownNumbers, mapReferences, toPlaceholder } from "./placeholders.ts";
import { type Plan, toReject } from "./plan.ts";
import { planRecord } from "./planner.ts";
import { settleRecord, toSaidFields, toSaidParts } from "./settle-record.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";
import { isSelected, type Selection } from "./source.ts";

export interface WholeSetting {
  kind: LoadedKind;
  known: KnownNumbers;
  /** The selected types. Records of other types are used only if they exist. */
  only: Selection | null;
  /** Plans run at once, so earlier records exist already. */
  applies: boolean;
  now(): Timestamp;
}

export function planWholeRecord(
  setting: WholeSetting,
  record: SnapshotRecord,
  actual: ActualRecord | null,
): Plan {
  const { kind, known, now } = setting;
  const { record: wanted, problems } = toTargetNumbers(setting, record);
  const parts = toSaidParts(kind, wanted, actual?.record ?? null);
  for (const part of parts) noteEntries(setting, part);
  if (problems.length > 0) {
    if (actual === null) known.set(kind.def.type, record.id, "refused");
    return toReject("unknown_reference", `${problems.join("; ")}.`);
  }
  const whole = { kind, known, now, number: record.id, wanted };
  return planRecord({
    actual: actual?.record ?? null,
    check: null,
    fields: toSaidFields(kind, wanted),
    kind,
    parts,
    refusesReadOnly: false,
    toCreation: () => ({
      body: wanted,
      violations: [],
      calls: (refuse) => settleRecord(whole, null, refuse),
    }),
    toUpdate: () => (refuse) => settleRecord(whole, actual, refuse),
  });
}

/** Replaces numbers of the source with ids of the target, and reports missing references. */
export function toTargetNumbers(
  { applies, kind, known, only }: Pick<WholeSetting, "applies" | "kind" | "known" | "only">,
  record: SnapshotRecord,
): { record: SnapshotRecord; problems: string[] } {
  const problems: string[] = [];
  const mapped = mapReferences(kind, record, (type, number, field) => {
    const found = known.find(type, number);
    if (typeof found === "number") return found;
    // Only a record of the same type can be created later.
    if (found === "new" && (!applies || type === kind.def.type)) return toPlaceholder(type, number);
    problems.push(`${field} names ${type} ${number}, ${toReason(found, only)}`);
    return undefined;
  });
  return { record: mapped, problems };
}

/** Other records may refer to entries. */
function noteEntries({ kind, known, only }: WholeSetting, { entries, part }: SaidPart): void {
  const { type } = part.def;
  if (!type) return;
  for (const { actual, number } of entries)
    if (number !== null)
      known.set(type, number, actual?.id ?? (isSelected(only, kind.def.type) ? "new" : "left out"));
}

function toReason(found: Known | undefined, only: Selection | null): string {
  if (found === undefined) return "which is not in it";
  return found === "left out" ? `which is not there, and ${only?.name} leaves it out` : "which was refused";
}
