import { createHash } from "node:crypto";
import type * as z from "zod";
import type { Shape } from "./model.ts";

/**
 * A record whose own fields are kept as ready JSON text, in answer order, so that showing it joins texts instead of
 * building and writing out some ninety values. The fields that are computed when shown, or that an API version renames,
 * are *live*: they are no part of the text and are woven in between its pieces.
 */
export class StoredRecord<M extends z.ZodObject<Shape> = z.ZodObject<Shape>> {
  /** Of which model it is a record; only the types know. */
  declare readonly model?: M;
  /** What `toStoredText` made. */
  readonly text: string;
  /** The live fields, newest shape. */
  readonly live: Readonly<Record<string, unknown>>;

  constructor(text: string, live: Readonly<Record<string, unknown>>) {
    this.text = text;
    this.live = live;
  }
}

/** Which fields of a model are live, and how its other fields fall into pieces between them. */
export interface StoredLayout {
  /** Live field names of all API versions, sorted; piece i stands before live field i, the last one behind them all. */
  live: readonly string[];
  pieces: readonly (readonly string[])[];
  /** Begins every text; a text of another layout is read the slow way. */
  tag: string;
}

/** Lays out a model: `fields` are its newest names, `live` those (of any version) that are not stored. */
export function defineStoredLayout(fields: readonly string[], live: readonly string[]): StoredLayout {
  const fences = [...live].sort();
  const stored = fields.filter((field) => !fences.includes(field)).sort();
  const pieces = [...fences, undefined].map((fence, index) => {
    const previous = fences[index - 1];
    return stored.filter((field) => (!previous || field > previous) && (!fence || field < fence));
  });
  const tag = createHash("sha256").update(JSON.stringify(pieces)).digest("hex").slice(0, 8);
  return { live: fences, pieces, tag };
}

// A control character cannot stand raw inside JSON text, so it separates the pieces.
const separator = "\u001f";

/** Writes the stored fields of a record; fields without a value are null. */
export function toStoredText(layout: StoredLayout, record: Readonly<Record<string, unknown>>): string {
  const pieces = layout.pieces.map((fields) =>
    fields.map((field) => `"${field}":${JSON.stringify(record[field] ?? null)}`).join(","),
  );
  return [layout.tag, ...pieces].join(separator);
}

/** The pieces of a text; null when it was written in another layout. */
export function toPieces(layout: StoredLayout, text: string): string[] | null {
  const [tag, ...pieces] = text.split(separator);
  return tag === layout.tag ? pieces : null;
}

/** The stored fields as an object, whatever the layout the text was written in. */
export function parseStoredText(text: string): Record<string, unknown> {
  const [, ...pieces] = text.split(separator);
  return JSON.parse(`{${pieces.filter((piece) => piece !== "").join(",")}}`);
}
