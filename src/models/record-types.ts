import { hookEvents } from "./event-kinds.ts";

/** Kinds of events, and kinds that only the audit trail has. */
export const recordTypes = [
  ...hookEvents,
  "Asset",
  "AssetType",
  "ChatMessage",
  "Delivery",
  "Driver",
  "DumpDestination",
  "GpsEvent",
  "HaulerConnection",
  "Location",
  "Material",
  "Retention",
  "Token",
  "User",
  "Webhook",
] as const;

export type RecordType = (typeof recordTypes)[number];
