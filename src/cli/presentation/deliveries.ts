import { deliveryCard } from "./delivery-card.ts";
import type { PresentationsOf } from "./presentation.ts";

/** What the terminal adds to the operations of deliveries. */
export const deliveries = {
  "deliveries.list": {
    columns: [
      "delivery_id",
      "event",
      "record_id",
      "action",
      "status",
      "attempt",
      "http_status",
      "created_on",
    ],
    tones: { status: { delivered: "good", failed: "bad", pending: "busy", cancelled: "off" } },
    example: "deliveries list --hook 1 --status failed",
  },
  "deliveries.get": {
    card: deliveryCard,
    example: "deliveries get 7d4e3c52-9f6a-4b1e-8c2d-5a6b7c8d9e0f --hook 1",
  },
  "deliveries.replay": { example: "deliveries replay --hook 1 --failed-since 2026-11-20" },
} satisfies PresentationsOf<"deliveries">;
