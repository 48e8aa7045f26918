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
export type CallAnswer =
  | { kind: "json"; text: string }
  | { kind: "file"; bytes: Uint8Array; fileName: string };

/** Calls operations, in this process on a store or over HTTP on a server; the two cannot be told apart by answers. */
export interface Caller {
  /** Throws a DispatchError when the call is refused or the target cannot be reached. */
  call(operation: Operation, request: CallRequest): Promise<CallAnswer>;
  close(): Promise<void>;
}
