import type * as z from "zod";
import type { ApiVersion } from "../api-versions.ts";
import type { JsonObject } from "../json.ts";
import type { Shape } from "../model.ts";

/** Applies wherever the model occurs. */
export interface ModelChange {
  kind: "model";
  /** Callers of older versions get the old shape. */
  introduced: ApiVersion;
  text: string;
  model: string;
  before: z.ZodObject<Shape>;
  /** New name → old name. Stored values under the old name are found under the new one. */
  renamed?: Readonly<Record<string, string>>;
  /** Converts the new shape to the old, after `renamed`. Surplus fields may stay. */
  down?(record: JsonObject): JsonObject;
}

export function toFormerShape({ down, renamed = {} }: ModelChange, record: JsonObject): JsonObject {
  const former = Object.entries(renamed).map(([name, formerName]) => [formerName, record[name]]);
  return { ...(down ? down(record) : record), ...Object.fromEntries(former) };
}

export interface RequestChange {
  kind: "request";
  introduced: ApiVersion;
  text: string;
  operation: string;
  /** A null body was refused. */
  before: { query: Shape; body: z.ZodObject<Shape> | null };
  /** Converts an input that the old models accept. */
  up(input: RequestInput): RequestInput;
  /** Converts the input for a server of an old version. */
  down(input: RequestInput): RequestInput;
}

export interface RequestInput {
  query: JsonObject;
  body: JsonObject | null;
}

export type Change = ModelChange | RequestChange;
