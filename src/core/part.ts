import type { JsonObject } from "../models/json.ts";
import type { Context } from "./context.ts";

/** The input of a call that is a part of another. */
export interface PartTexts {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** undefined without a body. */
  body: unknown;
  /** The text of an If-Match header. */
  ifMatch: string | null;
}

/** Runs in the transaction of the context. */
export type Part = (context: Context) => Promise<PartAnswer>;

/** In the caller's API version. */
export interface PartAnswer {
  body: JsonObject;
  /** null for a response that is not a record, and in a dry run. */
  etag: string | null;
  isSecret: boolean;
}
