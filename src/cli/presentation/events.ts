import { toRecordName } from "./audit-cells.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of events. */
export const events = {
  "events.list": {
    cells: { record: ({ record_id, type }) => toRecordName(type, record_id) },
    columns: ["created_on", "record", "action", "id"],
    example: "events list --type Customer --since 2026-01-01",
  },
  "events.get": { example: "events get 26c03012-01bc-4929-b5a5-5fb26dc8a306" },
  "events.preview": { example: "events preview --type Job --record-id 2 --action completed" },
} satisfies PresentationsOf<"events">;
