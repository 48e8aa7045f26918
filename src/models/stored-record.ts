import type * as z from "zod";
import type { Shape } from "./model.ts";

type Model = z.ZodObject<Shape>;

/**
 * A record whose own fields are kept as ready JSON text, in answer order, so that showing it joins texts instead of
 * building and writing out some ninety values. Fields that are computed when shown, or that an API version shows
 * otherwise, are woven in between the segments of that text.
 */
export class StoredRecord<M extends Model = Model> {
  /** How the text is laid out by this program; it may have been written in another layout. */
  readonly layout: StoredLayout<M>;
  /** What `toStoredText` made. */
  readonly text: string;
  /** The computed fields, newest shape. */
  readonly computed: Readonly<Record<string, unknown>>;

  constructor(layout: StoredLayout<M>, text: string, computed: Readonly<Record<string, unknown>>) {
    this.layout = layout;
    this.text = text;
    this.computed = computed;
  }
}

/** Which fields of a model are kept as text, and how they fall into segments. */
export interface StoredLayout<M extends Model = Model> {
  model: M;
  /** Begins every text; a text of another layout is read the slow way. */
  tag: string;
  /**
   * The names of all API versions that are no part of a segment, sorted: segment i stands before woven name i, the last
   * one behind them all.
   */
  woven: readonly string[];
  segments: readonly (readonly string[])[];
  /** The woven names that are computed when shown, and so not stored. */
  computed: readonly string[];
  /** Newest name and former name of fields that were renamed, the oldest change first. */
  renamed: readonly (readonly [string, string])[];
}

// A control character cannot stand raw inside JSON text, so it separates the segments.
const separator = "\u001f";

/**
 * Writes the stored fields of a record; fields without a value are null. What is in no segment stands behind them:
 * fields that a version shows otherwise, and those of a newer program, which an older one must not lose.
 */
export function toStoredText(layout: StoredLayout, record: Readonly<Record<string, unknown>>): string {
  const { isElsewhere, segments } = toWriting(layout);
  let text = layout.tag;
  for (const members of segments) {
    text += separator;
    for (const { key, name } of members) text += key + toText(record[name]);
  }
  let rest = "";
  for (const name in record) {
    if (isElsewhere.has(name) || record[name] === undefined) continue;
    rest += `${rest === "" ? separator : ","}${JSON.stringify(name)}:${toText(record[name])}`;
  }
  return text + rest;
}

/** How a layout is written, made once: a record then takes 5 µs instead of 29. */
interface Writing {
  /** The fields of each segment with all that stands before their values. */
  segments: { key: string; name: string }[][];
  /** The fields that do not stand behind the segments. */
  isElsewhere: ReadonlySet<string>;
}

const writings = new WeakMap<StoredLayout, Writing>();

function toWriting(layout: StoredLayout): Writing {
  const known = writings.get(layout) ?? {
    segments: layout.segments.map((fields) =>
      fields.map((name, index) => ({ key: `${index === 0 ? "" : ","}${JSON.stringify(name)}:`, name })),
    ),
    isElsewhere: new Set([...layout.segments.flat(), ...layout.computed]),
  };
  writings.set(layout, known);
  return known;
}

/** Most values are null, a number or a Boolean, which need no escaping. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "boolean" ? String(value) : JSON.stringify(value);
}

/** What every text of a layout begins with. */
export function toStoredPrefix({ tag }: StoredLayout): string {
  return `${tag}${separator}`;
}

/** The segments of a text, and behind them what else is stored; null when it was written in another layout. */
export function toSegments(layout: StoredLayout, text: string): { segments: string[]; rest: string } | null {
  const [tag, ...segments] = text.split(separator);
  if (tag !== layout.tag) return null;
  return { rest: segments.splice(layout.segments.length)[0] ?? "", segments };
}

/** The stored fields as an object, by their newest names, whatever the layout the text was written in. */
export function parseStoredText(layout: StoredLayout, text: string): Record<string, unknown> {
  const [, ...segments] = text.split(separator);
  const record = parseMembers(segments.filter((segment) => segment !== "").join(","));
  for (const [name, former] of layout.renamed) {
    if (!(former in record)) continue;
    record[name] ??= record[former];
    delete record[former];
  }
  return record;
}

/** The members of a JSON object, without its braces, as one. */
export function parseMembers(members: string): Record<string, unknown> {
  return JSON.parse(`{${members}}`);
}
