import { toRecordName } from "./audit-cells.ts";
import type { Cells, PresentationsOf } from "./presentation.ts";

const cells: Cells = { record: ({ record_id, type }) => toRecordName(type, record_id) };

/** What the terminal adds to the operations of events. */
export const events = {
  "events.list": {
    cells,
    columns: ["created_on", "record", "action", "id"],
    example: "events list --type Customer --since 2026-01-01",
  },
  "events.get": {
    card: { leads: cells, tells: ["record_id", "type"] },
    example: "events get 26c03012-01bc-4929-b5a5-5fb26dc8a306",
  },
  "events.preview": { example: "events preview --type Job --record-id 2 --action completed" },
} satisfies PresentationsOf<"events">;
