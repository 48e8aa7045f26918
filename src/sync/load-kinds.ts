import type * as z from "zod";
import { isDocument, type Operation } from "../core/operation.ts";
import { boolean, fieldKinds, id } from "../models/fields.ts";
import type { JsonObject } from "../models/json.ts";
import { type AnswerModel, defineModel, entryModel, list, optional, type Shape } from "../models/model.ts";
import { unwrap } from "../models/parse.ts";
import { parseTimestamp } from "../models/timestamps.ts";
import { recordOf } from "../models/versions/field-paths.ts";
import { loadOperation } from "../operations/index.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { type Body, type Json, type SnapshotRecord, toCanonical } from "./snapshot-record.ts";
import { type KindOperation, type SyncKind, type SyncPart, syncKinds } from "./sync-kinds.ts";

export interface LoadedFields {
  create: Operation;
  update: Operation | null;
  fields: readonly string[];
  /** Planned dates, which operations accept only in the future. */
  planned: ReadonlySet<string>;
  /** Fields that always have a value: a source without one leaves the field unchanged. */
  alwaysSet: ReadonlySet<string>;
  updatable: ReadonlySet<string>;
  model: z.ZodObject<Shape>;
}

export interface LoadedPart extends LoadedFields {
  def: SyncPart;
  removal: Operation | null;
}

export interface LoadedKind extends LoadedFields {
  def: SyncKind;
  list: Operation;
  /** Returns the whole record if the list does not. */
  get: Operation | null;
  parts: readonly LoadedPart[];
}

export async function loadKinds(): Promise<LoadedKind[]> {
  return Promise.all(syncKinds.map(loadKind));
}

export async function loadKind(def: SyncKind): Promise<LoadedKind> {
  const operation = await loadOperation(def.list);
  const parts = await Promise.all(def.parts.map(loadPart));
  const fields = await loadFields(def, recordOf(operation.output as AnswerModel), parts, def.fields);
  return { ...fields, def, get: await loadOrNull(def.hidden?.get), list: operation, parts };
}

async function loadPart(def: SyncPart): Promise<LoadedPart> {
  const { output } = await loadOperation(def.create);
  const fields = await loadFields(def, entryModel(output as AnswerModel), [], undefined);
  return { ...fields, def, removal: await loadOrNull(def.remove) };
}

const loadOrNull = async (name: KindOperation | undefined): Promise<Operation | null> =>
  name ? loadOperation(name) : null;

async function loadFields(
  def: SyncKind | SyncPart,
  answer: z.ZodObject<Shape>,
  parts: readonly LoadedPart[],
  only: readonly string[] | undefined,
): Promise<LoadedFields> {
  const create = await loadOperation(def.create);
  const update = await loadOrNull(def.update);
  const all: Shape = { ...update?.body?.shape, ...create.body?.shape, ...toPlaceShape(def) };
  const others = new Set([...def.derived, ...def.tenantOwn, ...parts.map((part) => part.def.field)]);
  const isOwn = (name: string) => only?.includes(name) ?? !others.has(name);
  const shape = Object.fromEntries(Object.entries(all).filter(([name]) => isOwn(name)));
  const fields = Object.keys(shape).sort();
  const lists = parts.map((part) => [part.def.field, optional(list(part.model))]);
  const isNumbered = def.type !== undefined;
  const model = { ...(isNumbered && { id: id() }), ...shape, ...Object.fromEntries(lists) };
  return {
    create,
    update,
    fields,
    planned: new Set(fields.filter((name) => whenOf(shape[name]) === "future")),
    alwaysSet: new Set(fields.filter((name) => isAlwaysSet(answer.shape[name]))),
    updatable: new Set(Object.keys(update?.body?.shape ?? {})),
    model: defineModel(def.type ?? "Entry", model),
  };
}

/** Fields set by the path of an operation, or by another operation of the kind. */
function toPlaceShape({ pathFields, setLast }: SyncKind | SyncPart): Shape {
  return {
    ...Object.fromEntries(Object.keys(setLast).map((name) => [name, optional(boolean())])),
    ...Object.fromEntries(pathFields.map((name) => [name, id()])),
  };
}

function whenOf(field: z.ZodType | undefined): string | undefined {
  return field && fieldKinds.get(unwrap(field))?.when;
}

function isAlwaysSet(field: z.ZodType | undefined): boolean {
  return field !== undefined && field.type !== "nullable" && field.type !== "optional";
}

/** Whether the list returns whole records, so that the entity tag can be computed from it. */
export function listsWholeRecords({
  def,
  list,
  update,
}: Pick<LoadedKind, "def" | "list" | "update">): boolean {
  const record = update?.changes.record;
  if (def.hidden || !record || isDocument(record.output) || isDocument(list.output)) return false;
  return recordOf(list.output) === recordOf(record.output);
}

type Kind = Pick<LoadedKind | LoadedPart, "fields" | "planned">;

/** Reduces a response in the newest API version to the fields of a snapshot. */
export function toSnapshot(type: LoadedKind, answer: JsonObject, now: Timestamp): SnapshotRecord {
  const own = toOwnFields(type, answer, now);
  const parts = type.parts.map((part) => [part.def.field, toEntries(part, answer, now)] as const);
  const filled = parts.filter(([, entries]) => entries.length > 0);
  const sorted = [...Object.entries(own), ...filled].sort(([one], [other]) => (one < other ? -1 : 1));
  return { id: Number(answer.id), ...Object.fromEntries(sorted) };
}

/** Keeps the id if an operation needs it. */
export function toSnapshotEntry(part: LoadedPart, answer: JsonObject, now: Timestamp): SnapshotRecord {
  const own = toOwnFields(part, answer, now);
  // An entry without its own operation is identified by its fields.
  return part.def.idParam === undefined ? (own as SnapshotRecord) : { id: Number(answer.id), ...own };
}

function toEntries(part: LoadedPart, answer: JsonObject, now: Timestamp): SnapshotRecord[] {
  const entries = answer[part.def.field];
  return Array.isArray(entries)
    ? entries.map((entry) => toSnapshotEntry(part, entry as JsonObject, now))
    : [];
}

function toOwnFields({ fields, planned }: Kind, answer: JsonObject, now: Timestamp): Body {
  const own: Body = {};
  for (const name of fields) {
    // Responses of operations are JSON.
    const value = toCanonical(answer[name] as Json);
    if (value === null || (planned.has(name) && isPast(value, now))) continue;
    own[name] = value;
  }
  return own;
}

/** Operations refuse a planned date in the past. */
export function isPast(value: unknown, now: Timestamp): boolean {
  const moment = typeof value === "string" ? parseTimestamp(value) : null;
  return moment !== null && moment !== undefined && moment <= now;
}
