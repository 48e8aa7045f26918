import type { Timestamp } from "../../clock.ts";
import type { TenantAccess } from "../access.ts";

/** Something that happened to a record, as webhooks will tell it (OP-74, OP-76). */
export interface NewEvent {
  action: string;
  created_on: Timestamp;
  /** The record, newest shape, as JSON. */
  data: string;
  kind: string;
  record_id: number;
  uuid: string;
}

/** A change and who made it. */
export interface NewAuditEntry {
  action: string;
  /** Changed fields as JSON; null when the record was made or is gone. */
  before: string | null;
  after: string | null;
  created_on: Timestamp;
  operation: string;
  record_id: number;
  record_type: string;
  request_id: string;
  token_id: number | null;
  user_id: number;
}

/** What is written beside every change, in its transaction. */
export function outboxQueries(access: TenantAccess) {
  return {
    async addEvent(event: NewEvent): Promise<void> {
      await access.insert("events", event).execute();
    },
    async addAuditEntry(entry: NewAuditEntry): Promise<void> {
      await access.insert("audit", entry).execute();
    },
  };
}
