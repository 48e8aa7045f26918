import type { Delivery } from "./inspector.ts";

/** What can become of a delivery. */
export type DeliveryStatus = Delivery["status"];

const looks: Readonly<Record<DeliveryStatus, string>> = {
  pending: "",
  delivered: "good",
  failed: "alarm",
  cancelled: "quiet",
};

/** All that can become of one. */
export const deliveryStatuses: readonly string[] = Object.keys(looks);

/** How it looks. */
export const lookOfOutcome = (status: DeliveryStatus): string => looks[status];
