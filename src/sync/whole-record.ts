import { DispatchError, type Violation } from "../errors/errors.ts";
import { isSame, type JsonObject } from "../models/json.ts";
import type { Timestamp } from "../runtime/clock.ts";
import {
  type LoadedFields,
  type LoadedKind,
  type LoadedPart,
  toSnapshot,
  toSnapshotEntry,
} from "./load-kinds.ts";
import { pairRecords, toKeys } from "./match-records.ts";
import {
  isPlaceholder,
  type Known,
  type KnownNumbers,
  mapReferences,
  toPlaceholder,
} from "./placeholders.ts";
import {
  type ActualRecord,
  type Calls,
  type ComparedEntry,
  compareFields,
  comparePart,
  type FieldChange,
  isTakenAway,
  type PartComparison,
  type Plan,
  type PlannedCall,
  planChange,
  type Refuse,
  type SaidEntry,
  type SaidPart,
  toBody,
  toExpectedState,
  toReject,
} from "./planner.ts";
import { type Body, partsOf, type SnapshotRecord } from "./snapshot-record.ts";

export interface Selection {
  types: ReadonlySet<string>;
  name: string;
}

/** null selects all. */
export function isSelected(only: Selection | null, type: string): boolean {
  return only?.types.has(type) ?? true;
}

/** The kind and the time for planning whole records. */
export interface WholeSetting {
  kind: LoadedKind;
  known: KnownNumbers;
  /** The selected types. Records of other types are used only if they exist. */
  only: Selection | null;
  now(): Timestamp;
}

export function planWholeRecord(
  setting: WholeSetting,
  record: SnapshotRecord,
  actual: ActualRecord | null,
): Plan {
  const { kind, known } = setting;
  const { record: wanted, problems } = toTargetNumbers(setting, record);
  const parts = toSaidParts(kind, wanted, actual?.record ?? null);
  for (const part of parts) noteEntries(setting, part);
  if (problems.length > 0) {
    if (actual === null) known.set(kind.def.type, record.id, "refused");
    return toReject("unknown_reference", `${problems.join("; ")}.`);
  }
  const calls = (refuse: Refuse) => settleRecord({ ...setting, number: record.id, wanted }, actual, refuse);
  if (actual === null) return { action: "create", body: wanted, calls };
  const fields = toSaidFields(kind, wanted);
  return planChange({ kind, actual: actual.record, fields, parts, toCalls: () => calls });
}

/** Replaces numbers of the source with ids of the target, and reports missing references. */
export function toTargetNumbers(
  { kind, known, only }: WholeSetting,
  record: SnapshotRecord,
): { record: SnapshotRecord; problems: string[] } {
  const problems: string[] = [];
  const mapped = mapReferences(kind, record, (type, number, field) => {
    const found = known.find(type, number);
    if (typeof found === "number") return found;
    if (found === "new") return toPlaceholder(type, number);
    problems.push(`${field} names ${type} ${number}, ${toReason(found, only)}`);
    return undefined;
  });
  return { record: mapped, problems };
}

function toReason(found: Known | undefined, only: Selection | null): string {
  if (found === undefined) return "which is not in it";
  return found === "left out" ? `which is not there, and ${only?.name} leaves it out` : "which was refused";
}

/** Other records may refer to entries. */
function noteEntries({ kind, known, only }: WholeSetting, { entries, part }: SaidPart): void {
  const { type } = part.def;
  if (!type) return;
  for (const { actual, number } of entries)
    if (number !== null)
      known.set(type, number, actual?.id ?? (isSelected(only, kind.def.type) ? "new" : "left out"));
}

interface WholeRecord extends WholeSetting {
  /** Has ids of the target, and placeholders for records that will be created. */
  wanted: SnapshotRecord;
  /** The number in the source. */
  number: number;
}

interface Settled extends ActualRecord {
  isCreated: boolean;
}

type CallsFor<T> = Generator<PlannedCall, T, JsonObject>;

/** Some changes are possible only one after the other, so calls follow until nothing differs. */
function* settleRecord(record: WholeRecord, actual: ActualRecord | null, refuse: Refuse): Calls {
  const { kind, known, number } = record;
  try {
    const there: Settled = actual
      ? { ...actual, isCreated: false }
      : { record: yield* create(record), etag: null, unread: [], isCreated: true };
    known.set(kind.def.type, number, there.record.id);
    // A deleted job cannot change: restore it first, and delete it last.
    const isDeleted = there.record.is_deleted === true;
    if (!isDeleted) yield* settleParts(record, there, refuse);
    yield* settleFields(record, there, refuse);
    if (isDeleted) yield* settleParts(record, there, refuse);
  } catch (error) {
    if (typeof known.find(kind.def.type, number) !== "number") known.set(kind.def.type, number, "refused");
    throw error;
  }
}

function* create(record: WholeRecord): CallsFor<SnapshotRecord> {
  const { kind, wanted } = record;
  const { params, body } = kind.def.toCreation?.(wanted) ?? { params: wanted, body: wanted };
  const call = { operation: kind.create, path: params };
  const sent = toSent(kind, body);
  let answer: JsonObject;
  try {
    answer = yield { ...call, body: sent };
  } catch (error) {
    // The service refuses a second customer with the same name and address, so the customer gets its addresses later.
    if (!(error instanceof DispatchError) || error.code !== "duplicate_record" || !sent.addresses)
      throw error;
    answer = yield { ...call, body: { ...sent, addresses: [] } };
  }
  return yield* toActual(record, params, kind.def.fromCreation?.(answer) ?? answer);
}

/** Repeats until nothing differs. */
function* settleFields(record: WholeRecord, there: Settled, refuse: Refuse): CallsFor<void> {
  const { kind, wanted } = record;
  let actual = there.record;
  let sentBefore: readonly FieldChange[] = [];
  for (;;) {
    const { changes } = compareFields(kind, toSaidFields(kind, wanted), actual);
    const writable = changes.filter(({ readOnly }) => !readOnly);
    const soon = writable.filter((change) => !isLate(kind, change));
    const { update } = kind;
    if (update === null) return;
    const call = {
      operation: update,
      path: toPath(kind, wanted, actual),
      ...expecting(kind, { ...there, record: actual }),
    };
    if (soon.length === 0) {
      const { references } = kind.def;
      if (writable.length > 0) yield { ...call, body: toBody(writable), late: { references } };
      return;
    }
    if (isSame(soon, sentBefore)) return refuse([toUnchangeable(soon)]);
    sentBefore = soon;
    const body = toBody(soon);
    const patch = kind.def.toPatch?.(body, wanted, actual) ?? body;
    actual = yield* toActual(record, call.path, yield { ...call, body: patch });
  }
}

/** A record created by this plan has no expected state. */
function expecting(
  kind: LoadedKind | LoadedPart,
  { isCreated, ...state }: ActualRecord<Body> & { isCreated: boolean },
): Pick<PlannedCall, "expected"> {
  return isCreated ? {} : { expected: toExpectedState(kind, state) };
}

function toUnchangeable(changes: readonly FieldChange[]): Violation {
  const detail = `${changes.map(({ field }) => field).join(", ")} cannot be given to it.`;
  return { code: "state_conflict", detail, field: null };
}

/** Reads the record again if responses do not show all of it. */
function* toActual(
  { kind, now }: WholeRecord,
  path: JsonObject,
  answer: JsonObject,
): CallsFor<SnapshotRecord> {
  const { def, get } = kind;
  const ownId = def.idParam === undefined ? {} : { [def.idParam]: answer.id };
  const whole = get ? yield { operation: get, path: { ...path, ...ownId }, body: undefined } : answer;
  return toSnapshot(kind, whole, now());
}

function* settleParts(record: WholeRecord, there: Settled, refuse: Refuse): CallsFor<void> {
  for (const part of compareParts(record, there)) {
    for (const entry of part.entries) {
      try {
        yield* settleEntry(record, there, part.part, entry);
      } catch (error) {
        if (!(error instanceof DispatchError)) throw error;
        const { field, type } = part.part.def;
        refuse([toEntryRefusal(field, error)]);
        if (type && entry.number !== null && entry.actual === null)
          record.known.set(type, entry.number, "refused");
      }
    }
  }
}

function compareParts(
  { kind, wanted }: WholeRecord,
  { isCreated, record: there }: Settled,
): PartComparison[] {
  if (isCreated) return kind.parts.map((part) => compareCreatedPart(part, wanted, there));
  return toSaidParts(kind, wanted, there).map((part) => comparePart(part));
}

function toEntryRefusal(field: string, { code, violations }: DispatchError): Violation {
  return { code, detail: `${field}: ${violations.map(({ detail }) => detail).join(" ")}`, field };
}

function* settleEntry(
  record: WholeRecord,
  there: Settled,
  part: LoadedPart,
  { actual, changes, number, said }: ComparedEntry,
): CallsFor<void> {
  const path = (entry: Body) => toEntryPath(record, part, there.record, entry);
  const entry = actual ?? (yield* addEntry(record, there, part, path(said), said));
  const change = (before: Body) => {
    const state = { record: before, etag: null, unread: [...part.planned], isCreated: actual === null };
    return { path: path(entry), ...expecting(part, state) };
  };
  if (part.def.type && number !== null) record.known.set(part.def.type, number, Number(entry.id));
  const differing = actual ? changes : compareFields(part, toSaidFields(part, said), entry).changes;
  const writable = differing.filter(({ readOnly }) => !readOnly);
  const soon = writable.filter((change) => !isLate(part, change));
  const late = writable.filter((change) => isLate(part, change));
  if (soon.length > 0 && part.update) yield { ...change(entry), operation: part.update, body: toBody(soon) };
  const operation = part.removal ?? part.update;
  if (late.length === 0 || operation === null) return;
  const body = part.removal ? undefined : toBody(late);
  yield {
    ...change({ ...entry, ...toBody(soon) }),
    operation,
    body,
    late: { references: part.def.references },
  };
}

function* addEntry(
  { kind, now }: WholeRecord,
  there: Settled,
  part: LoadedPart,
  path: JsonObject,
  said: Body,
): CallsFor<Body> {
  // An addition to a job also changes the job.
  const isChange = part.create.changes.record === kind.update?.changes.record;
  const call = { operation: part.create, path, ...(isChange && expecting(kind, there)) };
  const answer = yield { ...call, body: toSent(part, said) };
  // An entry that cannot be updated equals the sent one. The response may be the whole parent record.
  return part.update === null ? said : toSnapshotEntry(part, answer, now());
}

/** Set after all other calls. */
function isLate({ def }: LoadedKind | LoadedPart, { field, to }: FieldChange): boolean {
  return def.setLast[field] === to || isPlaceholder(def.references, field, to);
}

/** Omits fields that are set after all records exist. */
function toSent({ create, def }: LoadedKind | LoadedPart, record: Body): Body {
  const shape = create.body?.shape ?? {};
  const entries = Object.entries(record).filter(
    ([name, value]) =>
      name in shape && def.setLast[name] !== value && !isPlaceholder(def.references, name, value),
  );
  return Object.fromEntries(entries);
}

function toPath({ def }: LoadedKind, wanted: SnapshotRecord, { id }: SnapshotRecord): JsonObject {
  return { ...wanted, ...(def.idParam !== undefined && { [def.idParam]: id }) };
}

function toEntryPath(
  { kind, wanted }: WholeRecord,
  { def }: LoadedPart,
  there: SnapshotRecord,
  entry: Body,
): JsonObject {
  const named = Object.entries(def.pathParams ?? {}).map(([name, field]) => [name, entry[field]]);
  return {
    ...toPath(kind, wanted, there),
    ...(def.idParam !== undefined && { [def.idParam]: entry.id }),
    ...Object.fromEntries(named),
  };
}

/** A field without a value is cleared, unless it always has one. */
function toSaidFields({ alwaysSet, fields }: LoadedFields, record: Body): Body {
  const said = fields.filter((name) => record[name] !== undefined || !alwaysSet.has(name));
  return Object.fromEntries(said.map((name) => [name, record[name] ?? null]));
}

function toSaidParts(
  { parts }: LoadedKind,
  record: SnapshotRecord,
  actual: SnapshotRecord | null,
): SaidPart[] {
  return parts.map((part) => toSaidPart(part, record, actual));
}

/** In a new record, the n-th entry is the n-th sent one. */
function compareCreatedPart(
  part: LoadedPart,
  record: SnapshotRecord,
  created: SnapshotRecord,
): PartComparison {
  const there = partsOf(created, part.def.field);
  const entries = partsOf(record, part.def.field).map((entry, index) =>
    toSaidEntry(part, entry, there[index] ?? null),
  );
  return comparePart({ part, entries, others: [], toName: () => ({ entry: "", prefix: "" }) });
}

function toSaidPart(part: LoadedPart, record: SnapshotRecord, actual: SnapshotRecord | null): SaidPart {
  const { field } = part.def;
  const ours = partsOf(record, field);
  const theirs = actual ? partsOf(actual, field) : [];
  const toAllKeys = (entries: readonly Body[]) => entries.map((entry) => toKeys(part, entry));
  const pairs = pairRecords(part, toAllKeys(ours), toAllKeys(theirs), (our, their) =>
    isReachable(part, ours[our], theirs[their]),
  );
  const paired = new Set(pairs);
  return {
    part,
    entries: ours.map((entry, index) => {
      const at = pairs[index];
      return toSaidEntry(part, entry, (at === undefined ? undefined : theirs[at]) ?? null);
    }),
    others: theirs.filter((_, index) => !paired.has(index)),
    toName: (index) => ({ entry: `${field}[${index}]`, prefix: `${field}[${index}].` }),
  };
}

function toSaidEntry(part: LoadedPart, entry: SnapshotRecord, actual: SnapshotRecord | null): SaidEntry {
  const { id, ...own } = entry;
  return { number: id, said: actual ? toSaidFields(part, own) : own, actual };
}

/** A removed entry cannot change, so a wanted entry is created again. */
function isReachable(part: LoadedPart, our: Body | undefined, their: Body | undefined): boolean {
  return !isTakenAway(part, their ?? {}) || isTakenAway(part, our ?? {});
}
