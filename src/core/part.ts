import type { JsonObject } from "../models/json.ts";
import type { Context } from "./context.ts";

export interface PartTexts {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
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
