import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonObject } from "../models/json.ts";
import type { RecordType } from "../models/record-types.ts";

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
