import type * as z from "zod";
import type { Timestamp } from "../clock.ts";
import { CustomerModel, DispatchCustomerLocationModel } from "../models/customer.ts";
import { id } from "../models/fields.ts";
import type { HookEvent } from "../models/hook.ts";
import { JobModel } from "../models/job.ts";
import { defineModel, type Shape } from "../models/model.ts";
import { TruckModel } from "../models/truck.ts";
import { defaultVersion, isApiVersion } from "../versions/api-versions.ts";
import { toJson } from "../versions/walk.ts";

/** What webhooks are shown of a record, by the kind of the event. */
const dataModels: Readonly<Record<HookEvent, z.ZodObject<Shape>>> = {
  Customer: CustomerModel,
  CustomerLocation: DispatchCustomerLocationModel,
  Job: JobModel,
  Ping: defineModel("PingDataModel", { id: id() }),
  Truck: TruckModel,
};

interface ToldEvent {
  uuid: string;
  action: string;
  createdOn: Timestamp;
  /** The record, newest shape, as JSON. */
  data: string;
  kind: HookEvent;
}

/** The body of a delivery (OP-74): the event, its record walked back to the webhook's version as answers are (OP-24). */
export function toBody(event: ToldEvent, tenantId: number, apiVersion: string): string {
  const version = isApiVersion(apiVersion) ? apiVersion : defaultVersion;
  const members = {
    action: JSON.stringify(event.action),
    api_version: JSON.stringify(version),
    data: toJson(dataModels[event.kind], JSON.parse(event.data), version),
    id: JSON.stringify(event.uuid),
    tenant_id: String(tenantId),
    timestamp: JSON.stringify(event.createdOn),
    type: JSON.stringify(event.kind),
  };
  return `{${Object.entries(members)
    .map(([name, text]) => `"${name}":${text}`)
    .join(",")}}`;
}
