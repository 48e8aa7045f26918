import type * as z from "zod";
import type { ApiVersion } from "../api-versions.ts";
import type { JsonObject } from "../json.ts";
import type { Shape } from "../model.ts";

/** A model that looked different before a version. It is applied wherever the model occurs. */
export interface ModelChange {
  kind: "model";
  /** The version that brought the new shape; older callers get the old one. */
  introduced: ApiVersion;
  /** What changed, in words for those who build against the interface. */
  text: string;
  /** The model's name. */
  model: string;
  /** The model as it was. */
  before: z.ZodObject<Shape>;
  /**
   * Fields that got another name and nothing else, by the new name. Stored records are read by it too: what was stored
   * under the old name is found under the new one.
   */
  renamed?: Readonly<Record<string, string>>;
  /** From the new shape to the old beside that; fields that the old model does not list may be left in place. */
  down?(record: JsonObject): JsonObject;
}

/** Takes a record from the shape that a change brought to the one before. */
export function toFormerShape({ down, renamed = {} }: ModelChange, record: JsonObject): JsonObject {
  const former = Object.entries(renamed).map(([name, formerName]) => [formerName, record[name]]);
  return { ...(down ? down(record) : record), ...Object.fromEntries(former) };
}

/** An operation that took its input differently before a version. */
export interface RequestChange {
  kind: "request";
  introduced: ApiVersion;
  text: string;
  operation: string;
  /** What the operation took before; a null body was refused. */
  before: { query: Shape; body: z.ZodObject<Shape> | null };
  /** From the old input to the new, after the old models accepted it. */
  up(input: RequestInput): RequestInput;
  /** From the new input to the old, for sending it to a server at an old version. */
  down(input: RequestInput): RequestInput;
}

export interface RequestInput {
  query: JsonObject;
  /** null when the request has no body. */
  body: JsonObject | null;
}

export type Change = ModelChange | RequestChange;
