import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonObject } from "../models/json.ts";
import type { RecordType } from "../models/record-types.ts";

/** A change of one record. `data` is the payload of its event: the record in the newest shape, with embedded records. */
export interface Change {
  type: RecordType;
  /** created, updated, deleted, dispatched … */
  action: string;
  id: number;
  /** Own fields before and after; null for a new or removed record. */
  before: JsonObject | null;
  after: JsonObject | null;
  data?: JsonObject;
  /** More fields for the audit entry: the location of a customer's record at a location. */
  about?: JsonObject;
  /** The operation that caused it, if it runs as part of the called operation. */
  operation?: { name: string; changes: { emits?: readonly HookEvent[] } };
}
