import type { BodyOmission } from "../models/answered-request.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { ClockFacts } from "../store/store-clock.ts";

/** What the process that serves lends to operations that tell of it. */
export interface Serving {
  /** The requests that were answered lately. */
  requests: AnsweredRequests;
  /** What only a server of a sandbox store offers. */
  sandbox: SandboxControl | null;
}

/** A request that was answered, or whose client went away before; neither its body nor its query. */
export interface AnsweredRequest {
  request_id: string;
  /** By the machine's clock. */
  answered_on: Timestamp;
  method: string;
  path: string;
  /** -1 when no answer was sent to its end. */
  status: number;
  duration_ms: number;
  operation: string;
  version: string;
  /** Of the error that was answered. */
  code: string | null;
  tenant_id: number;
  user_id: number | null;
  token_id: number | null;
  token_name: string | null;
}

/** The same in a list of them. */
export interface ListedRequest extends AnsweredRequest {
  /** Its headers and bodies are there. */
  is_recorded: boolean;
}

/** The headers and the body of a request or an answer, secrets masked. */
export interface RecordedMessage {
  headers: Record<string, string>;
  /** null where there is none, and where it is left out. */
  body: string | null;
  body_bytes: number;
  body_omitted: BodyOmission | null;
}

/** What a request carried, and what it was answered. */
export interface RequestContents {
  /** By the machine's clock. */
  started_on: Timestamp;
  /** Secrets masked; empty where there is none. */
  query: string;
  request: RecordedMessage;
  answer: RecordedMessage;
}

/** A request and what it carried; null where that is not kept any more. */
export interface FoundRequest {
  answered: AnsweredRequest;
  contents: RequestContents | null;
}

/** Requests of one tenant, oldest first, and where to read on. */
export interface AnsweredPage {
  requests: ListedRequest[];
  /** Stands behind the last request that there is. */
  cursor: string;
  /** Requests since the cursor that are not known any more. */
  missed: number;
}

export interface AnsweredRequests {
  /** Those after a cursor; without one, the last ones. Throws unknown_reference for a text that is no cursor. */
  read(tenantId: number, after: string | null): Promise<AnsweredPage>;
  /** The newest of that id; undefined when it is not known, or not any more. null where the server records nothing. */
  find: ((tenantId: number, requestId: string) => Promise<FoundRequest | undefined>) | null;
}

export interface SandboxControl {
  /** Brings the store back to what it held when the server started. Throws state_conflict where that cannot be. */
  reset(): Promise<ClockFacts>;
  /** The requests of a tenant, as an HTTP Archive. */
  toArchive(tenantId: number): Promise<Uint8Array>;
}
