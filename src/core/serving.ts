import type { BodyOmission } from "../models/answered-request.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { ClockFacts } from "../store/store-clock.ts";

export interface Serving {
  requests: AnsweredRequests;
  sandbox: SandboxControl | null;
}

/** Answered or aborted. Omits body and query. */
export interface AnsweredRequest {
  request_id: string;
  /** The machine's time. */
  answered_on: Timestamp;
  method: string;
  path: string;
  /** −1 if the response was not sent completely. */
  status: number;
  duration_ms: number;
  operation: string;
  version: string;
  code: string | null;
  tenant_id: number;
  user_id: number | null;
  token_id: number | null;
  token_name: string | null;
}

export interface ListedRequest extends AnsweredRequest {
  /** Its headers and bodies were recorded. */
  is_recorded: boolean;
  /** Secrets are masked. null if it was not recorded. */
  query: string | null;
}

/** Secrets are masked. */
export interface RecordedMessage {
  headers: Record<string, string>;
  /** null without a body, and for an omitted body. */
  body: string | null;
  body_bytes: number;
  body_omitted: BodyOmission | null;
}

export interface RequestContents {
  /** The machine's time. */
  started_on: Timestamp;
  /** Secrets are masked. Empty without a query. */
  query: string;
  request: RecordedMessage;
  answer: RecordedMessage;
}

/** `contents` is null if no longer kept. */
export interface FoundRequest {
  answered: AnsweredRequest;
  contents: RequestContents | null;
}

/** One tenant's requests, oldest first. */
export interface AnsweredPage {
  requests: ListedRequest[];
  cursor: string;
  /** The number of requests since the cursor that are no longer kept. */
  missed: number;
}

export interface AnsweredRequests {
  /** Without a cursor, the last requests. Throws unknown_reference for an invalid cursor. */
  read(tenantId: number, after: string | null, text: string | null): Promise<AnsweredPage>;
  /** The newest request with the ID. null if the server does not record. */
  find: ((tenantId: number, requestId: string) => Promise<FoundRequest | undefined>) | null;
}

export interface SandboxControl {
  /** Resets the store to its state at the start. Throws state_conflict if that is impossible. */
  reset(): Promise<ClockFacts>;
  toArchive(tenantId: number): Promise<Uint8Array>;
}
