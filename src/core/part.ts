import type { JsonObject } from "../models/json.ts";
import type { Context } from "./context.ts";

/** The input of a call that is part of another. */
export interface PartTexts {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** A JSON value; undefined without a body. */
  body: unknown;
  /** As in an If-Match header; null without one. */
  ifMatch: string | null;
}

/** Runs a checked part in the transaction of the context. */
export type Part = (context: Context) => Promise<PartAnswer>;

/** The answer of a part, in the shape of the caller's version. */
export interface PartAnswer {
  body: JsonObject;
  /** The entity tag of the record; null when the answer is not a record, and in a dry run. */
  etag: string | null;
  isSecret: boolean;
}
