import type * as z from "zod";
import { jobLayout } from "../models/job.ts";
import type { Shape } from "../models/model.ts";
import { unwrap } from "../models/parse.ts";
import { parseStoredText, StoredRecord, toPieces } from "../models/stored-record.ts";
import type { ApiVersion } from "./api-versions.ts";
import type { JsonObject, ModelChange } from "./change.ts";
import { modelChangesSince } from "./index.ts";

/** Texts of records that were written already, by model: a page of jobs shows few customers many times. */
type Written = Map<z.ZodType, Map<object, string>>;

type Writer = (value: unknown, written: Written) => string;

/**
 * Writes a value of the newest shape as JSON in the shape that callers at `version` know: models are walked back change
 * by change wherever they occur, keys are in alphabetical order, and a field without a value is null (OP-3, OP-24).
 * Fields that the model does not list are left out. Answers and webhook bodies are both written by this.
 */
export function toJson(model: z.ZodType, value: unknown, version: ApiVersion): string {
  return writerOf(model, version)(value, new Map());
}

/** The model as callers at `version` know it; models inside it are not walked. */
export function modelAt(model: z.ZodObject<Shape>, version: ApiVersion): z.ZodObject<Shape> {
  return modelChangesSince(version, model.meta()?.id ?? "").at(-1)?.before ?? model;
}

const writers = new Map<ApiVersion, WeakMap<z.ZodType, Writer>>();

function writerOf(model: z.ZodType, version: ApiVersion): Writer {
  const known = writers.get(version) ?? new WeakMap<z.ZodType, Writer>();
  writers.set(version, known);
  const writer = known.get(model) ?? toWriter(model, version);
  known.set(model, writer);
  return writer;
}

function toWriter(schema: z.ZodType, version: ApiVersion): Writer {
  const inner = unwrap(schema);
  if (inner.type === "array")
    return toListWriter(writerOf((inner as z.ZodArray<z.ZodType>).element, version));
  if (inner.type === "object") return toModelWriter(inner as z.ZodObject<Shape>, version);
  return (value) => (value === undefined ? "null" : JSON.stringify(value));
}

function toListWriter(write: Writer): Writer {
  return (value, written) =>
    Array.isArray(value) ? `[${value.map((entry) => write(entry, written)).join(",")}]` : "null";
}

function toModelWriter(model: z.ZodObject<Shape>, version: ApiVersion): Writer {
  const pending = modelChangesSince(version, model.meta()?.id ?? "");
  const shown = modelAt(model, version);
  const write = toObjectWriter(shown.shape, version);
  const walkBack = (record: JsonObject) =>
    pending.reduce((walked, change: ModelChange) => change.down(walked), record);
  const writeStored = toStoredWriter(shown.shape, version, walkBack, write);
  return (value, written) => {
    if (value === undefined || value === null) return "null";
    if (value instanceof StoredRecord) return writeStored(value, written);
    const record = value as JsonObject;
    const known = written.get(model) ?? new Map<object, string>();
    written.set(model, known);
    const text = known.get(record) ?? write(walkBack(record), written);
    known.set(record, text);
    return text;
  };
}

type RecordWriter = (record: JsonObject, written: Written) => string;

function toObjectWriter(shape: Shape, version: ApiVersion): RecordWriter {
  const members = toMembers(shape, version);
  return (record, written) => {
    let text = "";
    for (const { name, key, write } of members)
      text += `${text === "" ? "{" : ","}${key}${write(record[name], written)}`;
    return text === "" ? "{}" : `${text}}`;
  };
}

function toMembers(shape: Shape, version: ApiVersion) {
  return Object.entries(shape)
    .map(([name, field]) => ({ name, key: `${JSON.stringify(name)}:`, write: writerOf(field, version) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Weaves the live members of a stored record in between the pieces of its text. */
function toStoredWriter(
  shape: Shape,
  version: ApiVersion,
  walkBack: (record: JsonObject) => JsonObject,
  write: RecordWriter,
): (stored: StoredRecord, written: Written) => string {
  const members = new Map(toMembers(shape, version).map((member) => [member.name, member]));
  const live = jobLayout.live.map((name) => members.get(name));
  return (stored, written) => {
    const pieces = toPieces(jobLayout, stored.text);
    if (!pieces) return write(walkBack({ ...parseStoredText(stored.text), ...stored.live }), written);
    const walked = walkBack(stored.live);
    const parts: string[] = [];
    for (const [index, piece] of pieces.entries()) {
      if (piece !== "") parts.push(piece);
      const member = live[index];
      if (member) parts.push(member.key + member.write(walked[member.name], written));
    }
    return `{${parts.join(",")}}`;
  };
}
