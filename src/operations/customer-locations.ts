import type * as z from "zod";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import type { OperationCure } from "../errors/cure.ts";
import { DispatchError } from "../errors/errors.ts";
import { DispatchCustomerLocationListModel, DispatchCustomerLocationModel } from "../models/customer.ts";
import {
  CreateDispatchCustomerLocationModel,
  UpdateDispatchCustomerLocationModel,
} from "../models/customer-location.ts";
import { boolean, id } from "../models/fields.ts";
import { isSame } from "../models/json.ts";
import { optional } from "../models/model.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { type LocationCustomer, toLocationCustomer } from "../store/queries/location-customer.ts";
import type { Customer, CustomerSettings } from "../store/schema/customer.ts";
import { toPatched } from "./record-changes.ts";
import { found, requireCustomer, requireLocation } from "./records.ts";

export const getCustomerLocation = defineOperation({
  name: "customer-locations.get",
  summary: "Show a customer's record at a location",
  route: "GET /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  output: DispatchCustomerLocationModel,
  allow: "anyRole",
  run: async (context, { params }) => (await findRecord(context, params)).shown,
});

export const listCustomerLocations = defineOperation({
  name: "customer-locations.list",
  summary: "List a customer's records at its locations",
  route: "GET /customers/{customer_id}/locations",
  params: { customer_id: id() },
  query: {
    ...paging,
    active: optional(boolean().describe("true only active records, false only inactive")),
    parent_id: optional(id().describe("returns records only if this is the customer's parent")),
  },
  output: DispatchCustomerLocationListModel,
  allow: "anyRole",
  reads: {
    // The id was called customer_id before 2021/04/07.
    listing: { idFields: ["id", "customer_id"] },
  },
  async run(context, { params, query }) {
    const customer = await requireCustomer(context, params.customer_id);
    const wanted = toPaging(query);
    const { parent_id: parentId } = query;
    if (parentId !== undefined && parentId !== null && parentId !== customer.parent_id)
      return toList({ rows: [], total: 0 }, wanted);
    const page = await context.store.customers.pageOfLocations(customer.id, query.active, wanted);
    return toList(
      { ...page, rows: page.rows.flatMap((locationId) => toLocationCustomer(customer, locationId) ?? []) },
      wanted,
    );
  },
});

export const addCustomerLocation = defineOperation({
  name: "customer-locations.add",
  summary: "Add a customer to another location",
  route: "POST /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  body: CreateDispatchCustomerLocationModel,
  output: DispatchCustomerLocationModel,
  allow: ["Dispatcher"],
  changes: { record: getCustomerLocation, emits: ["CustomerLocation"] },
  refuses: ["duplicate_record"],
  async run(context, { params, body }) {
    const { customer_id: customerId, customer_location_id: locationId } = params;
    const customer = await requireCustomer(context, customerId);
    await requireLocation(context, locationId);
    refuseSecond(customer, locationId);
    await context.store.customers.insertSettings(toNewSettings(body, customerId, locationId, context.now));
    return reportRecord(context, "created", params, null);
  },
});

/** A customer has one record at a location; an update makes an inactive one active again. */
function refuseSecond({ id: customerId, locations }: Customer, locationId: number): void {
  const known = locations.find(({ location_id }) => location_id === locationId);
  if (!known) return;
  const fact = `Customer ${customerId} has ${known.is_active ? "a" : "an inactive"} record at location ${locationId}`;
  const see: OperationCure = {
    operation: "customer-locations.update",
    params: { customer_id: customerId, customer_location_id: locationId },
    ...(!known.is_active && { body: { is_active: true } }),
  };
  throw new DispatchError([{ code: "duplicate_record", detail: `${fact}.`, field: null, see }]);
}

export const updateCustomerLocation = defineOperation({
  name: "customer-locations.update",
  summary: "Change a customer's record at a location, or make it active again",
  route: "PATCH /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  body: UpdateDispatchCustomerLocationModel,
  output: DispatchCustomerLocationModel,
  allow: ["Dispatcher"],
  changes: { record: getCustomerLocation, emits: ["CustomerLocation"] },
  async run(context, { params, body }) {
    const { settings, shown } = await findRecord(context, params);
    const after = toPatched(settings, body);
    if (isSame(settings, after)) return shown;
    await context.store.customers.updateSettings({ ...after, last_updated_on: context.now });
    return reportRecord(context, "updated", params, shown);
  },
});

export const removeCustomerLocation = defineOperation({
  name: "customer-locations.remove",
  summary: "Deactivate a customer at a location",
  description: "The record is kept with is_active false.",
  route: "DELETE /customers/{customer_id}/locations/{customer_location_id}",
  params: { customer_id: id(), customer_location_id: id().describe("location identifier") },
  output: DispatchCustomerLocationModel,
  allow: ["Dispatcher"],
  changes: { record: getCustomerLocation, emits: ["CustomerLocation"] },
  async run(context, { params }) {
    const { settings, shown } = await findRecord(context, params);
    // A second removal does nothing, as with webhooks.
    if (!settings.is_active) return shown;
    await context.store.customers.updateSettings({
      ...settings,
      is_active: false,
      last_updated_on: context.now,
    });
    return reportRecord(context, "deleted", params, shown);
  },
});

interface CustomerRecord {
  shown: LocationCustomer;
  settings: CustomerSettings;
}

/** The 404 does not show whether the customer, the location, or the record is missing. */
export async function findRecord(
  { store }: Pick<Context, "store">,
  params: { customer_id: number; customer_location_id: number },
): Promise<CustomerRecord> {
  const { customer_id: customerId, customer_location_id: locationId } = params;
  const what = `record of customer ${customerId} at location`;
  const customer = found(await store.customers.findAt(locationId, customerId), what, locationId);
  const settings = customer.locations.find(({ location_id }) => location_id === locationId);
  return {
    shown: found(toLocationCustomer(customer, locationId), what, locationId),
    settings: found(settings, what, locationId),
  };
}

export function toNewSettings(
  sent: z.output<typeof CreateDispatchCustomerLocationModel>,
  customerId: number,
  locationId: number,
  now: Timestamp,
): CustomerSettings {
  return {
    account_number_1: sent.account_number_1 ?? null,
    account_number_2: sent.account_number_2 ?? null,
    created_on: now,
    customer_id: customerId,
    is_active: true,
    is_commercial: sent.is_commercial ?? null,
    last_updated_on: now,
    location_id: locationId,
    note: sent.note ?? null,
    reference_number: sent.reference_number ?? null,
    renewal_date: sent.renewal_date ?? null,
    sales_rep: sent.sales_rep ?? null,
    sales_rep_id: sent.sales_rep_id ?? null,
    suspension_id: sent.suspension_id ?? null,
  };
}

/** Call it after the write; `before` is null for a new record. Returns the current record. */
async function reportRecord(
  context: Context,
  action: "created" | "updated" | "deleted",
  params: { customer_id: number; customer_location_id: number },
  before: LocationCustomer | null,
): Promise<LocationCustomer> {
  const { shown } = await findRecord(context, params);
  const after = toReported(shown);
  context.changed({
    about: { location_id: params.customer_location_id },
    type: "CustomerLocation",
    action,
    id: params.customer_id,
    before: before && toReported(before),
    after,
  });
  return shown;
}

/** Omits the records at other locations. */
export function toReported({
  customer_created_on: _,
  customer_last_updated_on: __,
  locations: ___,
  ...record
}: LocationCustomer) {
  return record;
}
