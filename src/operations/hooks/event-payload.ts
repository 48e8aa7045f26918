import { failure } from "../../errors/errors.ts";
import { eventModels } from "../../models/event.ts";
import { eventActionsOf } from "../../models/event-kinds.ts";
import type { recordEvents } from "../../models/hook.ts";
import { sampleId, sampleRecord } from "../../models/versions/sample-record.ts";
import type { ReferencedTable } from "../../store/queries/references.ts";
import type { TenantStore } from "../../store/tenant-store.ts";
import { findRecord, toReported } from "../customer-locations.ts";
import { found, requireCustomer } from "../records.ts";

export type RecordEvent = (typeof recordEvents)[number];

/** For a customer's record at a location, `id` is the customer's. */
export interface EventRecord {
  kind: RecordEvent;
  id: number;
  /** null: at any location. */
  locationId: number | null;
  isSample?: true;
}

interface SentEvent {
  action?: string | null | undefined;
  location_id?: number | null | undefined;
  record_id?: number | null | undefined;
  sample?: boolean | null | undefined;
  type: RecordEvent;
}

/** Checks that the kind has the action, and that a CustomerLocation has a location. */
export function parseEventRecord(
  { location_id = null, record_id, sample, type, ...sent }: SentEvent,
  prefix: string,
): { record: EventRecord; action: string } {
  const action = sent.action ?? "updated";
  const known = eventActionsOf(type);
  if (!known.includes(action)) {
    const field = `${prefix}action`;
    throw failure(
      "invalid_choice",
      `${field} of a ${type} must be one of ${known.join(", ")}, not "${action}".`,
      field,
    );
  }
  if (sample === true)
    return { record: { kind: type, id: sampleId, locationId: null, isSample: true }, action };
  if (typeof record_id !== "number") {
    const field = `${prefix}record_id`;
    throw failure("missing_value", `${field} is required, unless sample is true.`, field);
  }
  if (type === "CustomerLocation" && location_id === null) {
    const field = `${prefix}location_id`;
    throw failure("missing_value", `${field} is required for a CustomerLocation.`, field);
  }
  return { record: { kind: type, id: record_id, locationId: location_id }, action };
}

/** As an event would have it now, in the newest API version. Throws record_not_found for a hidden record. */
export async function toEventPayload(
  store: TenantStore,
  record: EventRecord,
): Promise<Record<string, unknown>> {
  const { kind, id } = record;
  if (record.isSample) return sampleRecord(eventModels[kind]);
  switch (kind) {
    case "Customer":
      await requireCustomer({ store }, id);
      return { ...found(await store.customers.findWhole(id), "customer", id) };
    case "CustomerLocation": {
      if (record.locationId === null)
        throw failure("usage", "A CustomerLocation is a customer at a location; name both.");
      const params = { customer_id: id, customer_location_id: record.locationId };
      return { ...toReported((await findRecord({ store }, params)).shown) };
    }
    case "Job": {
      const kept = await store.jobs.find(await findLocation(store, record, "jobs", "job"), id);
      return store.jobs.toEventPayload(found(kept, "job", id));
    }
    case "Truck": {
      const truck = await store.trucks.find(await findLocation(store, record, "trucks", "truck"), id);
      return { ...found(truck, "truck", id) };
    }
  }
}

async function findLocation(
  store: TenantStore,
  { id, locationId }: EventRecord,
  table: ReferencedTable,
  noun: string,
): Promise<number> {
  if (locationId !== null) return locationId;
  const { locationId: own } = found(await store.references.find(table, id), noun, id);
  return found(own, noun, id);
}
