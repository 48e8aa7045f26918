import type { ApiVersion } from "../models/api-versions.ts";
import type { Operation } from "./operation.ts";

/** The input of a call in its newest form; parameters are text. */
export interface CallRequest {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** A JSON value; undefined when there is no body. */
  body: unknown;
  /** The shape of the answer. */
  version: ApiVersion;
  /** All checks, nothing stored. */
  dryRun: boolean;
}

/** An answer in the shape of the version asked for. */
export type CallAnswer = JsonAnswer | { kind: "file"; bytes: Uint8Array };

/** An answer as JSON text. */
export interface JsonAnswer {
  kind: "json";
  readonly text: string;
  /**
   * A list as the texts of its records, from a caller that has them before it joins them; null for an answer that is no
   * list. Whoever reads a long list record by record takes these, and the text is never made.
   */
  toList?(): ListAnswer | null;
}

/** A list in pieces. */
export interface ListAnswer {
  /** The JSON text of each record. */
  records: string[];
  /** The page as JSON, with an empty list in their place. */
  frame: string;
  /** The id of each record; null for one that names none. */
  ids: (number | string | null)[];
}

/** Calls operations, in this process on a store or over HTTP on a server; the two cannot be told apart by answers. */
export interface Caller {
  /** Throws a DispatchError when the call is refused or the target cannot be reached. */
  call(operation: Operation, request: CallRequest): Promise<CallAnswer>;
  close(): Promise<void>;
}
