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
  token_id: number | null;
  token_name: string | null;
}

/** Requests of one tenant, oldest first, and where to read on. */
export interface AnsweredPage {
  requests: AnsweredRequest[];
  /** Stands behind the last request that there is. */
  cursor: string;
  /** Requests since the cursor that are not known any more. */
  missed: number;
}

export interface AnsweredRequests {
  /** Those after a cursor; without one, the last ones. Throws unknown_reference for a text that is no cursor. */
  read(tenantId: number, after: string | null): Promise<AnsweredPage>;
}

export interface SandboxControl {
  /** Brings the store back to what it held when the server started. Throws state_conflict where that cannot be. */
  reset(): Promise<ClockFacts>;
  /** The requests of a tenant, as an HTTP Archive. */
  toArchive(tenantId: number): Promise<Uint8Array>;
}
