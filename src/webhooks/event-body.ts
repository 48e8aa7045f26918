import type * as z from "zod";
import { type ApiVersion, defaultVersion, isApiVersion } from "../models/api-versions.ts";
import { CustomerModel, DispatchCustomerLocationModel } from "../models/customer.ts";
import { id } from "../models/fields.ts";
import type { HookEvent } from "../models/hook.ts";
import { JobModel } from "../models/job.ts";
import { defineModel, type Shape } from "../models/model.ts";
import { TruckModel } from "../models/truck.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { toJson } from "../versions/serializer.ts";

/** The models of the records in event bodies, by the kind of the event. */
export const dataModels: Readonly<Record<HookEvent, z.ZodObject<Shape>>> = {
  Customer: CustomerModel,
  CustomerLocation: DispatchCustomerLocationModel,
  Job: JobModel,
  Ping: defineModel("PingDataModel", { id: id() }),
  Truck: TruckModel,
};

/** What a body says about an event, the record aside. */
interface EventFacts {
  uuid: string;
  action: string;
  createdOn: Timestamp;
  kind: HookEvent;
}

interface EventWithPayload extends EventFacts {
  /** The record, newest shape, as JSON. */
  data: string;
}

/** The body of a delivery (OP-74): the event with its record, which is serialized at the webhook's version (OP-24). */
export function toBody(event: EventWithPayload, tenantId: number, apiVersion: string): string {
  const version = isApiVersion(apiVersion) ? apiVersion : defaultVersion;
  const data = toJson(dataModels[event.kind], JSON.parse(event.data), version);
  return toBodyAt(event, tenantId, version, data);
}

/** The same for a record that is in the version's shape already, as JSON. */
export function toBodyAt(event: EventFacts, tenantId: number, version: ApiVersion, data: string): string {
  const members = {
    action: JSON.stringify(event.action),
    api_version: JSON.stringify(version),
    data,
    id: JSON.stringify(event.uuid),
    tenant_id: String(tenantId),
    timestamp: JSON.stringify(event.createdOn),
    type: JSON.stringify(event.kind),
  };
  return `{${Object.entries(members)
    .map(([name, text]) => `"${name}":${text}`)
    .join(",")}}`;
}
