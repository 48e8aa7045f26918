import type { HookEvent } from "../models/event-kinds.ts";
import type { JsonObject } from "../models/json.ts";
import { kindOf } from "./record-kinds.ts";

/** A caller who may see the event's record may see the event. The record of a ping is its webhook. */
export function getOfEvent(kind: HookEvent) {
  return gets[kind];
}

const gets = {
  Customer: kindOf("customers").get,
  CustomerLocation: kindOf("customer-locations").get,
  Job: kindOf("jobs").get,
  Ping: kindOf("hooks").get,
  Truck: kindOf("trucks").get,
} as const satisfies Record<HookEvent, string>;

export function toGetParams(event: {
  kind: HookEvent;
  recordId: number;
  data: JsonObject;
}): Record<string, string> {
  const { data, kind, recordId } = event;
  const id = String(recordId);
  const location = String(data.location_id);
  switch (kind) {
    case "Customer":
      return { customer_id: id };
    case "CustomerLocation":
      return { customer_id: id, customer_location_id: location };
    case "Job":
      return { job_id: id, location_id: location };
    case "Ping":
      return { hook_id: id };
    case "Truck":
      return { location_id: location, truck_id: id };
  }
}
