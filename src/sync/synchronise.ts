import { type Application, applyRecord } from "./apply-record.ts";
import { compareFields, comparePart, type FieldChange, toChanges } from "./compare-records.ts";
import { createKnownNumbers, type Known, type KnownNumbers, toNewMark } from "./known-numbers.ts";
import { mapReferences } from "./map-references.ts";
import { type Keys, pairRecords, toKeys } from "./match-records.ts";
import { readTenant, type Source, type SourceRecord } from "./read-records.ts";
import type { LoadedType } from "./snapshot-model.ts";
import { type SnapshotRecord, toLabel } from "./snapshot-record.ts";
import type { NumberedKind } from "./snapshot-types.ts";
import type { SyncTarget } from "./target.ts";

/** What becomes of a record: "stays" differs, but in nothing that an operation carries. */
export const actions = ["create", "update", "same", "stays", "only_there"] as const;
export type Action = (typeof actions)[number];

/** A record that is there, here, or in both. */
export interface Entry {
  type: string;
  action: Action;
  /** Its number in the source; of what is only there its id. */
  id: number;
  label: string;
  changes: FieldChange[];
}

/** A record, or a part of it, that could not be given. */
export interface Refusal {
  type: string | null;
  id: number | null;
  label: string | null;
  line: number | null;
  detail: string;
}

/** How many records of a type became what. */
export type Tally = Record<Action, number>;

export interface Synchronisation {
  source: Source;
  target: SyncTarget;
  types: readonly LoadedType[];
  /** Types that count; null for all. The others only tell what theirs point to. */
  only: ReadonlySet<string> | null;
  /** false compares only. */
  applies: boolean;
  onEntry?(entry: Entry): void;
  onRefusal(refusal: Refusal): void;
  onProgress(type: string, done: number): void;
}

/**
 * Compares the source's records with the target's, type by type, and with `applies` makes the target like the source.
 * Records that are only there stay as they are. Gives the counts by type.
 */
export async function synchronise(sync: Synchronisation): Promise<Map<string, Tally>> {
  const { only, target, types } = sync;
  const work: Application = { target, known: createKnownNumbers(), late: [] };
  const there = readTenant(target);
  const tallies = new Map<string, Tally>();
  const last = types.findLastIndex(({ def }) => only?.has(def.type) ?? true);
  for (const type of types.slice(0, last + 1)) {
    const theirs: SnapshotRecord[] = [];
    for await (const { record } of there.records(type)) theirs.push(record);
    const pairs = await findPairs(sync, work.known, type, theirs);
    const tally = await walkType(sync, work, type, pairs);
    if (tally) tallies.set(type.def.type, tally);
  }
  for (const finish of work.late) await finish();
  return tallies;
}

/** Our records by number with theirs, and theirs that are left. */
interface Pairs {
  byNumber: Map<number, SnapshotRecord>;
  others: SnapshotRecord[];
}

async function findPairs(
  { applies, only, source }: Synchronisation,
  known: KnownNumbers,
  type: LoadedType,
  theirs: readonly SnapshotRecord[],
): Promise<Pairs> {
  const numbers: number[] = [];
  const keys: Keys[] = [];
  for await (const { record } of source.records(type)) {
    numbers.push(record.id);
    keys.push(toKeys(type, mapToTarget(known, applies, type, record).record));
  }
  const their = theirs.map((record) => toKeys(type, record));
  const byNumber = new Map<number, SnapshotRecord>();
  const paired = new Set<number>();
  for (const [index, at] of pairRecords(type, keys, their).entries()) {
    const number = numbers[index] ?? 0;
    const record = at === undefined ? undefined : theirs[at];
    const isSelected = only?.has(type.def.type) ?? true;
    known.set(type.def.type, number, record?.id ?? (isSelected ? "new" : "left out"));
    if (at === undefined || !record) continue;
    byNumber.set(number, record);
    paired.add(at);
  }
  return { byNumber, others: theirs.filter((_, index) => !paired.has(index)) };
}

/** Compares all records of a type; null when the type does not count. */
async function walkType(
  sync: Synchronisation,
  work: Application,
  type: LoadedType,
  { byNumber, others }: Pairs,
): Promise<Tally | null> {
  const isSelected = sync.only?.has(type.def.type) ?? true;
  const tally: Tally = { create: 0, update: 0, same: 0, stays: 0, only_there: 0 };
  let done = 0;
  for await (const sourceRecord of sync.source.records(type)) {
    const match = byNumber.get(sourceRecord.record.id) ?? null;
    const action = await takeRecord(sync, work, type, sourceRecord, match);
    if (action) tally[action] += 1;
    done += 1;
    if (isSelected) sync.onProgress(type.def.type, done);
  }
  if (!isSelected) return null;
  for (const record of others) {
    tally.only_there += 1;
    sync.onEntry?.({ ...toEntry(type, record), action: "only_there", changes: [] });
  }
  return tally;
}

async function takeRecord(
  sync: Synchronisation,
  work: Application,
  type: LoadedType,
  { record, line }: SourceRecord,
  match: SnapshotRecord | null,
): Promise<Action | null> {
  const isSelected = sync.only?.has(type.def.type) ?? true;
  const entry = toEntry(type, record);
  let isRefused = false;
  const refuse = (detail: string) => {
    isRefused = true;
    if (isSelected) sync.onRefusal({ ...entry, line, detail });
  };
  const { record: wanted, problems } = mapToTarget(work.known, sync.applies, type, record);
  if (problems.length > 0) {
    refuse(`${problems.join("; ")}.`);
    if (match === null) work.known.set(type.def.type, record.id, "refused");
  }
  const { action, changes } = compare(work.known, type, wanted, match, isSelected);
  if (isRefused || !isSelected) return null;
  const changesIt = action === "create" || action === "update";
  if (sync.applies && changesIt) await applyRecord(work, { type, wanted, number: record.id, refuse }, match);
  if (isRefused) return null;
  sync.onEntry?.({ ...entry, action, changes });
  return action;
}

function compare(
  known: KnownNumbers,
  type: LoadedType,
  wanted: SnapshotRecord,
  match: SnapshotRecord | null,
  isSelected: boolean,
): { action: Action; changes: FieldChange[] } {
  const parts = type.parts.map((part) => comparePart(part, wanted, match ?? { id: 0 }));
  for (const { part, entries } of parts) {
    if (!part.def.type) continue;
    for (const { wanted: ours, actual } of entries)
      known.set(part.def.type, ours.id, actual?.id ?? (isSelected ? "new" : "left out"));
  }
  if (match === null) return { action: "create", changes: [] };
  const changes = toChanges(compareFields(type, wanted, match), parts);
  if (changes.length === 0) return { action: "same", changes };
  return { action: changes.every(({ stays }) => stays) ? "stays" : "update", changes };
}

/** A source's record with the target's numbers in place of the source's, and what it names that is not there. */
function mapToTarget(known: KnownNumbers, applies: boolean, type: LoadedType, record: SnapshotRecord) {
  const problems: string[] = [];
  const mapped = mapReferences(type, record, (kind, number, field) => {
    const found = known.find(kind, number);
    if (typeof found === "number") return found;
    // What is still to be made can only be of the type that is being made.
    if (found === "new" && (!applies || kind === type.def.type)) return toNewMark(kind, number);
    problems.push(`${field} names ${kind} ${number}, ${toReason(found)}`);
    return undefined;
  });
  return { record: mapped, problems };
}

function toReason(found: Known | undefined): string {
  if (found === undefined) return "which is not in it";
  return found === "left out" ? "which is not there, and --only leaves it out" : "which was refused";
}

function toEntry({ def }: LoadedType, record: SnapshotRecord) {
  return { type: def.type as NumberedKind, id: record.id, label: toLabel(record) };
}
