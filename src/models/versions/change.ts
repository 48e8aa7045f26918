import type * as z from "zod";
import type { ApiVersion } from "../api-versions.ts";
import type { JsonObject } from "../json.ts";
import type { Shape } from "../model.ts";

/** Applied wherever the model occurs. */
export interface ModelChange {
  kind: "model";
  /** Callers at older versions get the old shape. */
  introduced: ApiVersion;
  /** For developers who use the interface. */
  text: string;
  model: string;
  before: z.ZodObject<Shape>;
  /**
   * Fields with only a new name, by the new name. Stored records are read by it too: values stored under the old name
   * are found under the new one.
   */
  renamed?: Readonly<Record<string, string>>;
  /** Converts the new shape to the old, after `renamed`. Fields that the old model does not list may stay. */
  down?(record: JsonObject): JsonObject;
}

/** Converts a record to the shape before a change. */
export function toFormerShape({ down, renamed = {} }: ModelChange, record: JsonObject): JsonObject {
  const former = Object.entries(renamed).map(([name, formerName]) => [formerName, record[name]]);
  return { ...(down ? down(record) : record), ...Object.fromEntries(former) };
}

/** An operation whose input was different before a version. */
export interface RequestChange {
  kind: "request";
  introduced: ApiVersion;
  text: string;
  operation: string;
  /** The former input; a null body was refused. */
  before: { query: Shape; body: z.ZodObject<Shape> | null };
  /** Converts the old input, accepted by the old models, to the new. */
  up(input: RequestInput): RequestInput;
  /** Converts the new input to the old, for a server at an old version. */
  down(input: RequestInput): RequestInput;
}

export interface RequestInput {
  query: JsonObject;
  /** null without a body. */
  body: JsonObject | null;
}

export type Change = ModelChange | RequestChange;
