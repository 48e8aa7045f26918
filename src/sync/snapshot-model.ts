import type * as z from "zod";
import type { Operation } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import { boolean, fieldKinds, id } from "../models/fields.ts";
import { type AnswerModel, defineModel, entryModel, list, optional, type Shape } from "../models/model.ts";
import { unwrap } from "../models/parse.ts";
import { loadOperation, type OperationName } from "../operations/index.ts";
import { type SnapshotPart, type SnapshotType, snapshotTypes } from "./snapshot-types.ts";

/** What is known of a kind of record from the operations that make and change it. */
interface LoadedKind {
  create: Operation;
  update: Operation | null;
  /** Its fields in alphabetical order, without number and lists of entries. */
  fields: readonly string[];
  /** Fields that plan something: they are taken only while they lie ahead. */
  planned: ReadonlySet<string>;
  /** Fields that always have a value: one that is absent says nothing. */
  alwaysSet: ReadonlySet<string>;
  /** Fields that an update takes. */
  updatable: ReadonlySet<string>;
  /** The form of a record of a snapshot. */
  model: z.ZodObject<Shape>;
}

export interface LoadedPart extends LoadedKind {
  def: SnapshotPart;
  removal: Operation | null;
}

export interface LoadedType extends LoadedKind {
  def: SnapshotType;
  list: Operation;
  get: Operation | null;
  parts: readonly LoadedPart[];
}

/** Loads the types of a snapshot with what their operations declare. */
export async function loadSnapshotTypes(): Promise<LoadedType[]> {
  return Promise.all(snapshotTypes.map(loadType));
}

/** The types that `--only` names by their nouns; null for all of them. Throws a usage error for a word that is none. */
export function parseOnly(text: unknown): ReadonlySet<string> | null {
  if (typeof text !== "string") return null;
  const words = text.split(",").map((word) => word.trim());
  const known = new Map(snapshotTypes.map(({ noun, type }) => [noun, type]));
  const types = words.map((word) => {
    const type = known.get(word);
    if (type) return type;
    throw failure("usage", `--only takes ${[...known.keys()].join(", ")}, not "${word}".`);
  });
  return new Set(types);
}

async function loadType(def: SnapshotType): Promise<LoadedType> {
  const operation = await loadOperation(def.list);
  const answer = resultModel(operation.output as AnswerModel);
  const parts = await Promise.all((def.parts ?? []).map(loadPart));
  const kind = await loadKind(def, answer, parts, def.fields);
  return { ...kind, def, get: await loadOrNull(def.get), list: operation, parts };
}

async function loadPart(def: SnapshotPart): Promise<LoadedPart> {
  const { output } = await loadOperation(def.create);
  const kind = await loadKind(def, entryModel(output as AnswerModel), [], undefined);
  return { ...kind, def, removal: await loadOrNull(def.removal) };
}

const loadOrNull = async (name: OperationName | null | undefined): Promise<Operation | null> =>
  name ? loadOperation(name) : null;

async function loadKind(
  def: SnapshotType | SnapshotPart,
  answer: z.ZodObject<Shape>,
  parts: readonly LoadedPart[],
  only: readonly string[] | undefined,
): Promise<LoadedKind> {
  const create = await loadOperation(def.create);
  const update = await loadOrNull(def.update);
  const all: Shape = { ...update?.body?.shape, ...create.body?.shape, ...toPlaceShape(def) };
  const isOwn = (name: string) =>
    only?.includes(name) ?? !(def.leftOut?.includes(name) || parts.some((part) => part.def.field === name));
  const shape = Object.fromEntries(Object.entries(all).filter(([name]) => isOwn(name)));
  const fields = Object.keys(shape).sort();
  const lists = parts.map((part) => [part.def.field, optional(list(part.model))]);
  const isNumbered = "list" in def || def.type !== undefined;
  const model = { ...(isNumbered && { id: id() }), ...shape, ...Object.fromEntries(lists) };
  return {
    create,
    update,
    fields,
    planned: new Set(fields.filter((name) => whenOf(shape[name]) === "future")),
    alwaysSet: new Set(fields.filter((name) => isAlwaysSet(answer.shape[name]))),
    updatable: new Set(Object.keys(update?.body?.shape ?? {})),
    model: defineModel("type" in def ? String(def.type) : "Entry", model),
  };
}

/** What an operation's path or another operation of the kind says of it. */
function toPlaceShape({ late = {}, pathFields = [] }: SnapshotType | SnapshotPart): Shape {
  return {
    ...Object.fromEntries(Object.keys(late).map((name) => [name, optional(boolean())])),
    ...Object.fromEntries(pathFields.map((name) => [name, id()])),
  };
}

function whenOf(field: z.ZodType | undefined): string | undefined {
  return field && fieldKinds.get(unwrap(field))?.when;
}

function isAlwaysSet(field: z.ZodType | undefined): boolean {
  return field !== undefined && field.type !== "nullable" && field.type !== "optional";
}

/** The model of a list's records. */
function resultModel(answer: AnswerModel): z.ZodObject<Shape> {
  return unwrap((entryModel(answer).shape.results as z.ZodArray<z.ZodType>).element) as z.ZodObject<Shape>;
}
