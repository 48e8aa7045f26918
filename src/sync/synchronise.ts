import { createApplier } from "./applier.ts";
import type { LoadedKind } from "./load-kinds.ts";
import { type Keys, pairRecords, toKeys } from "./match-records.ts";
import { createKnownNumbers, type KnownNumbers } from "./placeholders.ts";
import type { ActualRecord, FieldChange } from "./planner.ts";
import { readTenant, type Source } from "./read-tenant.ts";
import { createReport, type Outcome, type Refusal, type Report, runPlan, tallyOf } from "./report.ts";
import type { SnapshotRecord } from "./snapshot-record.ts";
import type { SyncTarget } from "./target.ts";
import {
  isSelected,
  planWholeRecord,
  type Selection,
  toTargetNumbers,
  type WholeSetting,
} from "./whole-record.ts";

export interface Synchronisation {
  source: Source;
  target: SyncTarget;
  kinds: readonly LoadedKind[];
  /** The types to compare; null for all. Others only resolve references. */
  only: Selection | null;
  /** The unreadable records of the source. */
  problems?: readonly Refusal[];
  onEntry?(entry: Entry): void;
  /** Called after every hundredth record. */
  onProgress(text: string): void;
}

export interface Entry {
  type: string;
  outcome: Outcome;
  /** The number in the source, or the id if only the target has the record. */
  id: number;
  label: string;
  changes: readonly FieldChange[];
}

/** The results of a comparison, and the records to create or change. */
export interface Comparison {
  report: Report;
  known: KnownNumbers;
  /** The numbers of the records, each with its existing record. */
  differing: ReadonlyMap<LoadedKind, ReadonlyMap<number, ActualRecord | null>>;
}

/** Compares the source's records with the target's, type by type. */
export async function compareTenants(sync: Synchronisation): Promise<Comparison> {
  const { kinds, only, problems = [], target } = sync;
  const known = createKnownNumbers();
  const report = createReport();
  report.refused.push(...problems);
  const there = readTenant(target, () => undefined, true);
  const differing = new Map<LoadedKind, Map<number, ActualRecord | null>>();
  const last = kinds.findLastIndex(({ def }) => isSelected(only, def.type));
  for (const kind of kinds.slice(0, last + 1)) {
    const theirs: ActualRecord[] = [];
    for await (const { etag = null, leftOut = [], record } of there.records(kind))
      theirs.push({ record, etag, unread: [...leftOut, ...kind.planned] });
    const setting = { kind, known, only, now: () => target.clock.now() };
    const found = await compareKind(sync, setting, theirs, report);
    if (isSelected(only, kind.def.type)) differing.set(kind, found);
  }
  return { differing, known, report };
}

/** Plans all records of a kind, and returns those that differ. Records that only the target has stay unchanged. */
async function compareKind(
  { onEntry, onProgress, source }: Synchronisation,
  setting: WholeSetting,
  theirs: readonly ActualRecord[],
  whole: Report,
): Promise<Map<number, ActualRecord | null>> {
  const { kind, only } = setting;
  const { type } = kind.def;
  const isWanted = isSelected(only, type);
  const report = isWanted ? whole : createReport();
  const tally = tallyOf(report, type);
  const { byNumber, others } = await findPairs(source, setting, theirs);
  const differing = new Map<number, ActualRecord | null>();
  let done = 0;
  for await (const { line, record } of source.records(kind)) {
    const actual = byNumber.get(record.id) ?? null;
    const place = toRecordPlace(kind, record);
    const plan = await runPlan(report, null, { ...place, line }, planWholeRecord(setting, record, actual));
    if (plan.action === "create" || plan.action === "update") differing.set(record.id, actual);
    if (!isWanted) continue;
    const changes = "changes" in plan ? plan.changes : [];
    if (plan.action !== "reject") onEntry?.({ ...place, outcome: plan.action, changes });
    if (++done % 100 === 0) onProgress(`comparing ${type} ${done}`);
  }
  if (!isWanted) return differing;
  for (const { record } of others) {
    tally.onlyThere += 1;
    onEntry?.({ ...toRecordPlace(kind, record), outcome: "onlyThere", changes: [] });
  }
  return differing;
}

/** `others` are records that only the target has. */
async function findPairs(
  source: Source,
  setting: WholeSetting,
  theirs: readonly ActualRecord[],
): Promise<{ byNumber: Map<number, ActualRecord>; others: ActualRecord[] }> {
  const { kind, known, only } = setting;
  const numbers: number[] = [];
  const keys: Keys[] = [];
  for await (const { record } of source.records(kind)) {
    numbers.push(record.id);
    keys.push(toKeys(kind, toTargetNumbers(setting, record).record));
  }
  const byNumber = new Map<number, ActualRecord>();
  const others = new Set(theirs);
  const pairs = pairRecords(
    kind,
    keys,
    theirs.map(({ record }) => toKeys(kind, record)),
  );
  for (const [index, number] of numbers.entries()) {
    const at = pairs[index];
    const their = at === undefined ? undefined : theirs[at];
    known.set(
      kind.def.type,
      number,
      their?.record.id ?? (isSelected(only, kind.def.type) ? "new" : "left out"),
    );
    if (!their) continue;
    byNumber.set(number, their);
    others.delete(their);
  }
  return { byNumber, others: [...others] };
}

/**
 * Creates and changes the records that differ. Records that changed after the comparison stay unchanged, and the report
 * names them.
 */
export async function applyDifferences(
  { only, onProgress, source, target }: Synchronisation,
  { differing, known, report: compared }: Comparison,
): Promise<Report> {
  const applier = createApplier(target, { known });
  const report: Report = { tallies: new Map(compared.tallies), refused: [] };
  for (const [kind, records] of differing) {
    const { type } = kind.def;
    report.tallies.set(type, { ...tallyOf(compared, type), create: 0, update: 0 });
    if (records.size === 0) continue;
    const setting = { kind, known, only, now: () => target.clock.now() };
    let done = 0;
    for await (const { line, record } of source.records(kind)) {
      const actual = records.get(record.id);
      if (actual === undefined) continue;
      const plan = planWholeRecord(setting, record, actual);
      await runPlan(report, applier, { ...toRecordPlace(kind, record), line }, plan);
      if (++done % 100 === 0) onProgress(`${type} ${done}`);
    }
  }
  await applier.finish();
  return report;
}

/** A record for messages. An empty description counts as a name here. */
function toRecordPlace({ def }: LoadedKind, record: SnapshotRecord) {
  const name = def.knownBy.map((field) => record[field]).find((value) => typeof value === "string");
  const label = `${record.id}${name === undefined ? "" : ` (${name})`}`;
  return { type: def.type as string, id: record.id, label };
}
