import { requireRole } from "../core/call-operation.ts";
import { defineOperation } from "../core/operation.ts";
import {
  customerFilters,
  DispatchCustomerLocationListModel,
  DispatchCustomerLocationModel,
} from "../models/customer.ts";
import { id } from "../models/fields.ts";
import {
  CreateLocationModel,
  LocationListModel,
  LocationModel,
  locationDefaults,
  UpdateLocationModel,
} from "../models/location.ts";
import { toWholeAddress } from "../models/location-address.ts";
import { cursorPaging, paging, toList, toPaging } from "../models/page.ts";
import { type PlacedKind, RecordPlaceModel, recordPlaceFields } from "../models/record-place.ts";
import { toLocationCustomer } from "../store/queries/location-customer.ts";
import type { Location } from "../store/queries/locations.ts";
import type { ReferencedTable } from "../store/queries/references.ts";
import { addRecord, changeRecord, toNewFields, toPatched } from "./record-changes.ts";
import { found, requireLocation, requireTenantWide } from "./records.ts";
import { getUser } from "./users.ts";

export const getLocation = defineOperation({
  name: "locations.get",
  summary: "Show a location",
  route: "GET /locations/{location_id}",
  params: { location_id: id() },
  output: LocationModel,
  allow: "anyRole",
  run: async (context, { params }) => toLocationAnswer(await requireLocation(context, params.location_id)),
});

export const listLocations = defineOperation({
  name: "locations.list",
  summary: "List the locations of the tenant",
  route: "GET /locations",
  query: paging,
  output: LocationListModel,
  allow: "anyRole",
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.locations.page(wanted);
    return toList({ ...page, rows: page.rows.map(toLocationAnswer) }, wanted);
  },
});

export const createLocation = defineOperation({
  name: "locations.create",
  summary: "Create a location",
  route: "POST /locations",
  body: CreateLocationModel,
  output: LocationModel,
  allow: ["Admin"],
  changes: { record: getLocation },
  extension: true,
  async run(context, { body }) {
    requireTenantWide(context.actor);
    const fields = toNewFields(CreateLocationModel, body, locationDefaults);
    return toLocationAnswer(await addRecord(context, "Location", context.store.locations, fields));
  },
});

export const updateLocation = defineOperation({
  name: "locations.update",
  summary: "Change a location: its address, its contact, or its names of job types",
  route: "PATCH /locations/{location_id}",
  params: { location_id: id() },
  body: UpdateLocationModel,
  output: LocationModel,
  allow: ["Admin"],
  changes: { record: getLocation },
  extension: true,
  async run(context, { params, body }) {
    const before = await requireLocation(context, params.location_id);
    const after = toPatched(before, body);
    return toLocationAnswer(await changeRecord(context, "Location", context.store.locations, before, after));
  },
});

export const getLocationCustomer = defineOperation({
  name: "locations.customer",
  summary: "Show a customer at a location",
  route: "GET /locations/{location_id}/customers/{customer_id}",
  params: { customer_id: id(), location_id: id() },
  output: DispatchCustomerLocationModel,
  allow: "anyRole",
  async run({ store }, { params }) {
    const customer = await store.customers.findAt(params.location_id, params.customer_id);
    const shown = toLocationCustomer(customer, params.location_id);
    return found(shown, "customer", params.customer_id);
  },
});

export const listLocationCustomers = defineOperation({
  name: "locations.customers",
  summary: "List the customers of a location",
  route: "GET /locations/{location_id}/customers",
  params: { location_id: id() },
  query: { ...cursorPaging, ...customerFilters },
  output: DispatchCustomerLocationListModel,
  allow: "anyRole",
  reads: {
    // The id was called customer_id before 2021/04/07.
    listing: { idFields: ["id", "customer_id"] },
  },
  async run(context, { params, query }) {
    await requireLocation(context, params.location_id);
    const wanted = toPaging(query);
    const page = await context.store.customers.pageAt(params.location_id, query, wanted);
    return toList(
      {
        ...page,
        rows: page.rows.flatMap((customer) => toLocationCustomer(customer, params.location_id) ?? []),
      },
      wanted,
    );
  },
});

export const findRecordPlace = defineOperation({
  name: "locations.of",
  summary: "Show which location or customer a record belongs to",
  route: "GET /record_place",
  query: recordPlaceFields,
  output: RecordPlaceModel,
  allow: "anyRole",
  extension: true,
  async run({ actor, store }, { query: { kind, record_id } }) {
    // All roles may read the other kinds, within their row scopes.
    if (kind === "users") requireRole(getUser, actor);
    const { isPart, label, table } = placed[kind];
    const { customerId, locationId } = found(await store.references.find(table, record_id), label, record_id);
    return { customer_id: isPart ? customerId : null, location_id: locationId };
  },
});

const placed: Readonly<Record<PlacedKind, { isPart?: true; label: string; table: ReferencedTable }>> = {
  addresses: { isPart: true, label: "address", table: "addresses" },
  "asset-types": { label: "asset type", table: "asset_types" },
  assets: { label: "asset", table: "assets" },
  contacts: { isPart: true, label: "contact", table: "contacts" },
  customers: { label: "customer", table: "customers" },
  drivers: { label: "driver", table: "drivers" },
  "dump-destinations": { label: "dump destination", table: "dump_destinations" },
  jobs: { label: "job", table: "jobs" },
  materials: { label: "material", table: "materials" },
  trucks: { label: "truck", table: "trucks" },
  users: { label: "user", table: "users" },
};

function toLocationAnswer(location: Location) {
  const { address, contact } = location;
  return {
    ...location,
    address: toWholeAddress(address),
    contact: contact && {
      email: contact.email ?? null,
      name: contact.name ?? null,
      number: contact.number ?? null,
    },
  };
}
