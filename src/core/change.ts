import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonObject } from "../models/json.ts";
import type { RecordType } from "../models/record-types.ts";

/** A change of one record. `data` is what webhooks are told: the record in the newest shape, with all it embeds. */
export interface Change {
  type: RecordType;
  /** created, updated, deleted, dispatched … */
  action: string;
  id: number;
  /** Own fields before and after; null when the record was made, or is gone. */
  before: JsonObject | null;
  after: JsonObject | null;
  data?: JsonObject;
  /** What the audit trail tells beside the fields that changed: the location, of a customer's record at one. */
  about?: JsonObject;
  /** The operation that made it, where that is a part of the one that is called. */
  operation?: { name: string; changes: { emits?: readonly HookEvent[] } };
}
