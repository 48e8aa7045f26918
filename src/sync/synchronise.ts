import { isSame } from "../models/json.ts";
import { type Applier, createApplier } from "./applier.ts";
import type { FieldChange } from "./compare-fields.ts";
import { type ActualRecord, toChangedSince } from "./expected-state.ts";
import type { LoadedKind } from "./load-kinds.ts";
import { type Keys, pairRecords, toKeys } from "./match-records.ts";
import { createKnownNumbers, type KnownNumbers } from "./placeholders.ts";
import { type Plan, toReject } from "./plan.ts";
import { planWholeRecord, toTargetNumbers } from "./plan-whole-record.ts";
import { readTenant } from "./read-tenant.ts";
import { createReport, type Outcome, type Refusal, type Report, runPlans } from "./report.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";
import type { Source, SourceRecord } from "./source.ts";
import { isSelected, type Selection } from "./source.ts";
import type { SyncKind } from "./sync-kinds.ts";
import type { SyncTarget } from "./target.ts";

export interface Synchronisation {
  source: Source;
  target: SyncTarget;
  kinds: readonly LoadedKind[];
  /** The types to compare; null for all. Others only resolve references. */
  only: Selection | null;
  /** false compares only. */
  applies: boolean;
  agreed?: AgreedPlans;
  /** The unreadable records of the source. */
  problems?: readonly Refusal[];
  onEntry?(entry: Entry): void;
  onProgress(type: string, done: number): void;
}

export interface Entry {
  type: string;
  outcome: Outcome;
  /** The number in the source, or the id if only the target has the record. */
  id: number;
  label: string;
  changes: readonly FieldChange[];
}

/** Compares by type; `applies` makes the target like the source. Records that only the target has stay unchanged. */
export async function synchronise(sync: Synchronisation): Promise<Report> {
  const { applies, only, problems = [], target, kinds } = sync;
  const known = createKnownNumbers();
  const applier = applies ? createApplier(target, { known }) : null;
  const report = createReport();
  report.refused.push(...problems);
  const there = readTenant(target, () => undefined, applies);
  const last = kinds.findLastIndex(({ def }) => isSelected(only, def.type));
  for (const kind of kinds.slice(0, last + 1)) {
    const theirs: ActualRecord[] = [];
    for await (const { etag = null, leftOut = [], record } of there.records(kind))
      theirs.push({ record, etag, unread: [...leftOut, ...kind.planned] });
    const isWanted = isSelected(only, kind.def.type);
    const pairs = await findPairs(sync, { isWanted, kind, known }, theirs);
    const work = { applier: isWanted ? applier : null, isWanted, kind, known, pairs };
    await runKind(sync, work, isWanted ? report : createReport());
  }
  await applier?.finish();
  return report;
}

interface KindWork {
  kind: LoadedKind;
  known: KnownNumbers;
  isWanted: boolean;
}

/** `others` are records that only the target has. */
interface Pairs {
  byNumber: ReadonlyMap<number, ActualRecord>;
  others: readonly ActualRecord[];
}

async function findPairs(
  { applies, only, source }: Synchronisation,
  { isWanted, kind, known }: KindWork,
  theirs: readonly ActualRecord[],
): Promise<Pairs> {
  const numbers: number[] = [];
  const keys: Keys[] = [];
  for await (const { record } of source.records(kind)) {
    numbers.push(record.id);
    keys.push(toKeys(kind, toTargetNumbers({ applies, kind, known, only }, record).record));
  }
  const their = theirs.map(({ record }) => toKeys(kind, record));
  const byNumber = new Map<number, ActualRecord>();
  const paired = new Set<number>();
  for (const [index, at] of pairRecords(kind, keys, their).entries()) {
    const number = numbers[index] ?? 0;
    const their = at === undefined ? undefined : theirs[at];
    known.set(kind.def.type, number, their?.record.id ?? (isWanted ? "new" : "left out"));
    if (at === undefined || !their) continue;
    byNumber.set(number, their);
    paired.add(at);
  }
  return { byNumber, others: theirs.filter((_, index) => !paired.has(index)) };
}

async function runKind(
  { agreed, applies, onEntry, only, onProgress, source, target }: Synchronisation,
  { applier, isWanted, kind, known, pairs }: KindWork & { applier: Applier | null; pairs: Pairs },
  report: ReturnType<typeof createReport>,
): Promise<void> {
  const { type } = kind.def;
  const placeOf = ({ line, record }: SourceRecord) => ({ ...toPlace(kind, record), line });
  const setting = { applies, kind, known, only, now: () => target.clock.now() };
  let done = 0;
  report.begin(type);
  await runPlans(source.records(kind), {
    applier,
    placeOf,
    plan({ record }) {
      const actual = pairs.byNumber.get(record.id) ?? null;
      const plan = planWholeRecord(setting, record, actual);
      return agreed?.[applies ? "hold" : "note"](kind, plan, actual) ?? plan;
    },
    report,
    onRecord({ record }, plan) {
      done += 1;
      if (!isWanted) return;
      if (plan.action !== "reject") onEntry?.({ ...toPlace(kind, record), ...toEntryFacts(plan) });
      onProgress(type, done);
    },
  });
  if (!isWanted) return;
  for (const { record } of pairs.others) {
    report.count(type, "onlyThere");
    onEntry?.({ ...toPlace(kind, record), outcome: "onlyThere", changes: [] });
  }
}

const toPlace = ({ def }: LoadedKind, record: SnapshotRecord) => ({
  type: def.type,
  id: record.id,
  label: toLabel(def, record),
});

/** An empty description counts as a name. */
function toLabel({ knownBy }: SyncKind, record: SnapshotRecord): string {
  const name = knownBy.map((field) => record[field]).find((value) => typeof value === "string");
  return `${record.id}${name === undefined ? "" : ` (${name})`}`;
}

const toEntryFacts = (plan: Plan) => ({
  outcome: plan.action,
  changes: "changes" in plan ? plan.changes : [],
});

/** The updates that a user has seen and confirmed. Others are rejected. */
export interface AgreedPlans {
  /** Remembers the record of a planned update. */
  note(kind: LoadedKind, plan: Plan, actual: ActualRecord | null): Plan;
  /** Rejects a plan if the record has changed since it was shown. */
  hold(kind: LoadedKind, plan: Plan, actual: ActualRecord | null): Plan;
}

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
