import { toRecordName } from "./audit-cells.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of events. */
export const events = {
  "events.list": {
    cells: { record: ({ record_id, type }) => toRecordName(type, record_id) },
    columns: ["created_on", "record", "action", "id"],
    example: "events list --type Customer --since 2026-01-01",
  },
  "events.get": { example: "events get 5f0b7c1e-3a52-4d8e-9c64-1b2a3d4e5f60" },
  "events.preview": { example: "events preview --type Job --record-id 2 --action completed" },
} satisfies PresentationsOf<"events">;
