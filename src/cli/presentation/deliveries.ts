import { toRecordName } from "./audit-cells.ts";
import { deliveryCard } from "./delivery-card.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of deliveries. */
export const deliveries = {
  "deliveries.list": {
    cells: {
      record: ({ event, record_id }) => (record_id === null ? String(event) : toRecordName(event, record_id)),
    },
    columns: ["created_on", "record", "action", "status", "attempt", "http_status", "delivery_id"],
    tones: { status: { delivered: "good", failed: "bad", pending: "busy", cancelled: "off" } },
    example: "deliveries list --hook 1 --status failed",
  },
  "deliveries.get": {
    card: deliveryCard,
    example: "deliveries get 7d4e3c52-9f6a-4b1e-8c2d-5a6b7c8d9e0f --hook 1",
  },
  "deliveries.replay": {
    // Whoever makes deliveries sends them; the answer only counts them.
    told: {
      tell: ({ after: { count } }) =>
        `${count === 1 ? "1 delivery is" : `${count} deliveries are`} sent again`,
    },
    example: "deliveries replay --hook 1 --failed-since 2026-11-20",
  },
} satisfies PresentationsOf<"deliveries">;
