import type { JsonObject } from "../models/json.ts";
import type { Context } from "./context.ts";

/** What a call asks for that is part of another. */
export interface PartTexts {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** A JSON value; undefined when there is none. */
  body: unknown;
  /** As an If-Match header has it; null when there is none. */
  ifMatch: string | null;
}

/** Runs a part whose call is in order, in the transaction of the context. */
export type Part = (context: Context) => Promise<PartAnswer>;

/** The answer of a part, in the shape of the caller's version. */
export interface PartAnswer {
  body: JsonObject;
  /** The entity tag of the record that it shows; null when it shows none, and in a dry run. */
  etag: string | null;
  /** It shows a secret. */
  isSecret: boolean;
}
