import type { BodyOmission } from "../models/answered-request.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { ClockFacts } from "../store/store-clock.ts";

/** The serving process, for operations about it. */
export interface Serving {
  /** The last answered requests. */
  requests: AnsweredRequests;
  sandbox: SandboxControl | null;
}

/** A request that was answered or aborted, without its body and query. */
export interface AnsweredRequest {
  request_id: string;
  /** Time of the machine. */
  answered_on: Timestamp;
  method: string;
  path: string;
  /** -1 when the answer was not sent completely. */
  status: number;
  duration_ms: number;
  operation: string;
  version: string;
  /** The code of the error. */
  code: string | null;
  tenant_id: number;
  user_id: number | null;
  token_id: number | null;
  token_name: string | null;
}

export interface ListedRequest extends AnsweredRequest {
  /** Its headers and bodies were recorded. */
  is_recorded: boolean;
}

/** The headers and the body of a request or an answer, with masked secrets. */
export interface RecordedMessage {
  headers: Record<string, string>;
  /** null without a body, and for an omitted body. */
  body: string | null;
  body_bytes: number;
  body_omitted: BodyOmission | null;
}

export interface RequestContents {
  /** Time of the machine. */
  started_on: Timestamp;
  /** With masked secrets; empty without a query. */
  query: string;
  request: RecordedMessage;
  answer: RecordedMessage;
}

/** A request and its contents; null where they are no longer kept. */
export interface FoundRequest {
  answered: AnsweredRequest;
  contents: RequestContents | null;
}

/** Requests of one tenant, oldest first, with the cursor of the next page. */
export interface AnsweredPage {
  requests: ListedRequest[];
  /** After the last request. */
  cursor: string;
  /** Requests since the cursor that are no longer kept. */
  missed: number;
}

export interface AnsweredRequests {
  /** The requests after a cursor; without one, the last requests. Throws unknown_reference for an invalid cursor. */
  read(tenantId: number, after: string | null): Promise<AnsweredPage>;
  /** The newest request of that ID; undefined for an unknown one. null where the server does not record. */
  find: ((tenantId: number, requestId: string) => Promise<FoundRequest | undefined>) | null;
}

export interface SandboxControl {
  /** Resets the store to the start of the server. Throws state_conflict where that is impossible. */
  reset(): Promise<ClockFacts>;
  /** The requests of a tenant, as an HTTP Archive. */
  toArchive(tenantId: number): Promise<Uint8Array>;
}
