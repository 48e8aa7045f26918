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

/** How it looks; one whose last attempt came to nothing looks so though others follow. */
export function lookOfOutcome(status: DeliveryStatus, httpStatus: number | null): string {
  const isRefused = httpStatus !== null && (httpStatus < 200 || httpStatus > 299);
  return status === "pending" && isRefused ? "alarm" : looks[status];
}
