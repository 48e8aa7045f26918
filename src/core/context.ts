import type { Violation } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonObject } from "../models/json.ts";
import type { RecordType } from "../models/record-types.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Trace } from "../runtime/trace.ts";
import type { TenantStore } from "../store/tenant-store.ts";
import type { Actor } from "./actor.ts";
import type { Service } from "./service.ts";

export interface Context {
  actor: Actor;
  /** The time when the request was read. */
  now: Timestamp;
  /** Omits the store: a query outside of the transaction would wait for that transaction forever. */
  service: Omit<Service, "store">;
  /** Sees the rows of the caller. Uses the operation's transaction unless its effect is "call". */
  store: TenantStore;
  trace: Trace;
  /** Records a change for its event and audit entry. */
  changed(change: Change): void;
  /** Uses the operation's transaction, or a new one for a "call". */
  write<T>(work: (store: TenantStore) => Promise<T>): Promise<T>;
}

/** `data` is the payload of the event: the record in the newest API version, with embedded records. */
export interface Change {
  type: RecordType;
  /** created, updated, deleted, dispatched … */
  action: string;
  id: number;
  /** The record's own fields; null for a new or removed record. */
  before: JsonObject | null;
  after: JsonObject | null;
  data?: JsonObject;
  /** More fields for the audit entry, such as the location of a customer's record. */
  about?: JsonObject;
  /** The causing operation, if it is a part of the called one. */
  operation?: { name: string; changes: { emits?: readonly HookEvent[] } };
}

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

/** Parameters are texts. The body is read only after the checks before it. */
export interface CallTexts {
  version: ApiVersion;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Violations in the form of the query, reported with violations of its values. */
  queryViolations?: readonly Violation[];
  /** undefined without a body. Throws a DispatchError for an unreadable body. */
  body(): Promise<unknown>;
}
