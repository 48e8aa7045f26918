import { hookEvents } from "./event-kinds.ts";

/** What can change: the kinds that webhooks are told of, and those that only the audit trail keeps. */
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

/** The kind of a record that can change. */
export type RecordType = (typeof recordTypes)[number];
