import { DispatchError } from "../errors/errors.ts";
import type { JsonObject } from "../versions/change.ts";
import { callJson, toRefusal } from "./call-json.ts";
import { compareFields, comparePart, type FieldChange } from "./compare-records.ts";
import { fromNewMark, type KnownNumbers } from "./known-numbers.ts";
import type { LoadedPart, LoadedType } from "./snapshot-model.ts";
import { type Body, isSameValue, type Json, type SnapshotRecord } from "./snapshot-record.ts";
import type { SyncTarget } from "./target.ts";
import { toSnapshot, toSnapshotEntry } from "./to-snapshot-record.ts";

/** What records are brought into, and what is kept for the end. */
export interface Application {
  target: SyncTarget;
  known: KnownNumbers;
  /** Done when everything is there: what lets nothing new point to a record, and what points to one that comes later. */
  late: (() => Promise<void>)[];
}

/** A record on its way: what the target refused of it. */
export interface RecordTask {
  type: LoadedType;
  wanted: SnapshotRecord;
  number: number;
  refuse(problem: string): void;
}

/**
 * Makes the target have the record as it is wanted, by the same operations that everybody uses; what the target refuses
 * is told, and the rest goes on. `actual` is the record that is there, null to make it.
 */
export async function applyRecord(
  work: Application,
  task: RecordTask,
  actual: SnapshotRecord | null,
): Promise<void> {
  const { number, refuse, type } = task;
  try {
    const there = actual ?? (await make(work, task));
    work.known.set(type.def.type, number, there.id);
    const isMade = actual === null;
    // A deleted job takes nothing: it is restored before, and deleted after.
    if (there.is_deleted !== true) await settleParts(work, task, there, isMade);
    await settleFields(work, task, there);
    if (there.is_deleted === true) await settleParts(work, task, there, isMade);
  } catch (error) {
    refuse(toRefusal(error));
    if (typeof work.known.find(type.def.type, number) !== "number")
      work.known.set(type.def.type, number, "refused");
  }
}

async function make({ target }: Application, { type, wanted }: RecordTask): Promise<SnapshotRecord> {
  const { params, body } = type.def.toCreation?.(wanted) ?? { params: wanted, body: wanted };
  const sent = toBody(type, type.create.body?.shape ?? {}, body);
  const answer = await callJson(target.caller, type.create, params, sent).catch((error: unknown) => {
    // A customer whose like is there already is made without addresses, and gets them afterwards.
    if (!(error instanceof DispatchError) || error.code !== "duplicate_record" || !sent.addresses)
      throw error;
    return callJson(target.caller, type.create, params, { ...sent, addresses: [] });
  });
  return toActual(target, type, params, type.def.fromCreation?.(answer) ?? answer);
}

/** Sends what differs until nothing does: some things a record's life allows only one after the other. */
async function settleFields(work: Application, task: RecordTask, there: SnapshotRecord): Promise<void> {
  const { refuse, type, wanted } = task;
  const { caller } = work.target;
  let actual = there;
  let sentBefore: FieldChange[] = [];
  for (;;) {
    const changes = compareFields(type, wanted, actual).filter(({ stays }) => !stays);
    const soon = changes.filter((change) => !isLate(type, change));
    if (soon.length === 0 || type.update === null) {
      deferFields(work, task, actual, changes);
      return;
    }
    if (isSameValue(toJson(soon), toJson(sentBefore))) {
      refuse(`${soon.map(({ field }) => field).join(", ")} cannot be given to it.`);
      return;
    }
    sentBefore = soon;
    const body = toChangedBody(soon);
    const patch = type.def.toPatch?.(body, wanted, actual) ?? body;
    const path = toPath(type, wanted, actual);
    actual = await toActual(work.target, type, path, await callJson(caller, type.update, path, patch));
  }
}

/** The record as it is now; where answers to changes do not show the whole of it, it is asked for. */
async function toActual(
  target: SyncTarget,
  type: LoadedType,
  path: JsonObject,
  answer: JsonObject,
): Promise<SnapshotRecord> {
  const whole = type.get
    ? await callJson(target.caller, type.get, { ...path, [type.def.idParam]: answer.id })
    : answer;
  return toSnapshot(type, whole, target.clock.now());
}

function deferFields(
  { known, late, target }: Application,
  { refuse, type, wanted }: RecordTask,
  actual: SnapshotRecord,
  changes: readonly FieldChange[],
): void {
  const { update } = type;
  if (changes.length === 0 || update === null) return;
  late.push(async () => {
    try {
      const entries = changes.map(({ field, to }) => [field, resolveMark(type, known, field, to)]);
      await callJson(target.caller, update, toPath(type, wanted, actual), Object.fromEntries(entries));
    } catch (error) {
      refuse(toRefusal(error));
    }
  });
}

/** The id of a record that had still to be made, in place of its mark. */
function resolveMark({ def }: LoadedType, known: KnownNumbers, field: string, value: Json): Json {
  const kind = def.references[field];
  if (!kind || typeof value !== "string") return value;
  const found = known.find(kind, fromNewMark(value));
  return typeof found === "number" ? found : null;
}

async function settleParts(
  work: Application,
  task: RecordTask,
  there: SnapshotRecord,
  isMade: boolean,
): Promise<void> {
  for (const part of task.type.parts) {
    for (const { wanted, actual, changes } of comparePart(part, task.wanted, there, isMade).entries) {
      try {
        const path = (entry: Body) => toEntryPath(task, part, there, entry);
        const entry = actual ?? (await addEntry(work, part, path(wanted), wanted));
        if (part.def.type) work.known.set(part.def.type, wanted.id, entry.id);
        const left = actual ? changes : compareFields(part, wanted, entry);
        await settleEntry(work, task, part, path(entry), left);
      } catch (error) {
        task.refuse(`${part.def.field}: ${toRefusal(error)}`);
        if (part.def.type && actual === null) work.known.set(part.def.type, wanted.id, "refused");
      }
    }
  }
}

async function addEntry(
  { target }: Application,
  part: LoadedPart,
  path: JsonObject,
  wanted: SnapshotRecord,
): Promise<SnapshotRecord> {
  const body = toBody(part, part.create.body?.shape ?? {}, wanted);
  const answer = await callJson(target.caller, part.create, path, body);
  // What cannot be changed is as it was sent; its answer may be the whole record that it hangs on.
  return part.update === null ? wanted : toSnapshotEntry(part, answer, target.clock.now());
}

async function settleEntry(
  { late, target }: Application,
  { refuse }: RecordTask,
  part: LoadedPart,
  path: JsonObject,
  differing: readonly FieldChange[],
): Promise<void> {
  const changes = differing
    .filter(({ stays }) => !stays)
    .map((change) => ({ ...change, field: change.field.replace(/^.*\./, "") }));
  const soon = changes.filter((change) => !isLate(part, change));
  if (soon.length > 0 && part.update) await callJson(target.caller, part.update, path, toChangedBody(soon));
  const last = changes.filter((change) => isLate(part, change));
  const operation = part.removal ?? part.update;
  if (last.length === 0 || operation === null) return;
  late.push(async () => {
    const body = part.removal ? undefined : toChangedBody(last);
    await callJson(target.caller, operation, path, body).catch((error: unknown) => refuse(toRefusal(error)));
  });
}

/** What is given to a record at the end only. */
function isLate({ def }: LoadedType | LoadedPart, { field, to }: FieldChange): boolean {
  return def.late?.[field] === to || isMark(def.references[field], to);
}

const isMark = (kind: string | undefined, value: Json | undefined) =>
  kind !== undefined && typeof value === "string";

/** The fields that an operation takes, without what is given at the end only. */
function toBody({ def }: LoadedType | LoadedPart, shape: object, record: Body): Body {
  const entries = Object.entries(record).filter(
    ([name, value]) => name in shape && def.late?.[name] !== value && !isMark(def.references[name], value),
  );
  return Object.fromEntries(entries);
}

const toChangedBody = (changes: readonly FieldChange[]): Body =>
  Object.fromEntries(changes.map(({ field, to }) => [field, to]));

const toJson = (changes: readonly FieldChange[]): Json =>
  changes.map(({ field, from, to }) => [field, from, to]);

function toPath({ def }: LoadedType, wanted: SnapshotRecord, { id }: SnapshotRecord): JsonObject {
  return { ...wanted, [def.idParam]: id };
}

function toEntryPath(
  { type, wanted }: RecordTask,
  { def }: LoadedPart,
  there: SnapshotRecord,
  entry: Body,
): JsonObject {
  const named = Object.entries(def.pathParams ?? {}).map(([name, field]) => [name, entry[field]]);
  return {
    ...toPath(type, wanted, there),
    ...(def.idParam !== null && { [def.idParam]: entry.id }),
    ...Object.fromEntries(named),
  };
}
