import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { failure, throwIfAny } from "../errors/errors.ts";
import { id } from "../models/fields.ts";
import { locationPaging, paging, toList, toPaging } from "../models/page.ts";
import {
  CreateTruckModel,
  TruckListModel,
  TruckModel,
  truckDefaults,
  UpdateTruckRequestModel,
} from "../models/truck.ts";
import { recordsOfLocation, refuseBackwards, toNewFields, toPatched } from "./record-changes.ts";
import { findUnknown, listAtLocation, type Reference, requireLocation } from "./records.ts";

export const trucks = recordsOfLocation({
  type: "Truck",
  noun: "truck",
  idParam: "truck_id",
  of: (store) => store.trucks,
});

export const getTruck = defineOperation({
  name: "trucks.get",
  summary: "Show a truck",
  route: "GET /locations/{location_id}/trucks/{truck_id}",
  params: { location_id: id(), truck_id: id() },
  output: TruckModel,
  allow: "anyRole",
  run: (context, { params }) => trucks.find(context, params),
});

export const listTrucks = defineOperation({
  name: "trucks.list",
  summary: "List the trucks of a location",
  route: "GET /locations/{location_id}/trucks",
  params: { location_id: id() },
  query: paging,
  output: TruckListModel,
  allow: "anyRole",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (paging) =>
      context.store.trucks.page(params.location_id, paging),
    ),
});

export const listAllTrucks = defineOperation({
  name: "trucks.all",
  summary: "List the trucks of all locations",
  route: "GET /trucks",
  query: locationPaging,
  output: TruckListModel,
  allow: "anyRole",
  reads: { listing: { order: "location" } },
  extension: true,
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.trucks.page(null, wanted), wanted);
  },
});

export const createTruck = defineOperation({
  name: "trucks.create",
  summary: "Create a truck",
  route: "POST /locations/{location_id}/trucks",
  params: { location_id: id() },
  body: CreateTruckModel,
  output: TruckModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getTruck, emits: ["Truck"] },
  extension: true,
  async run(context, { params, body }) {
    await requireLocation(context, params.location_id);
    refuseBackwards("CreateTruckModel", body);
    const reference = toDriverReference("CreateTruckModel", params.location_id);
    throwIfAny(await findUnknown(context, [[reference, body.driver_id]]));
    await requireRoom(context);
    const defaults = { ...truckDefaults, location_id: params.location_id };
    return trucks.add(context, toNewFields(CreateTruckModel, body, defaults));
  },
});

async function requireRoom({ store }: Context): Promise<void> {
  const { truck_limit: limit } = await store.tenant.get();
  if (limit === null || (await store.trucks.countAll()) < limit) return;
  throw failure("state_conflict", `The tenant has ${limit} trucks, which is its limit.`);
}

export const updateTruck = defineOperation({
  name: "trucks.update",
  summary: "Change a truck: its driver, its details, or whether it is in service",
  route: "PATCH /locations/{location_id}/trucks/{truck_id}",
  params: { location_id: id(), truck_id: id() },
  body: UpdateTruckRequestModel,
  output: TruckModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getTruck, emits: ["Truck"] },
  async run(context, { params, body }) {
    const before = await trucks.find(context, params);
    refuseBackwards("UpdateTruckRequestModel", toPatched(before, body));
    const reference = toDriverReference("UpdateTruckRequestModel", params.location_id);
    throwIfAny(await findUnknown(context, [[reference, body.driver_id, before.driver_id]]));
    return trucks.change(context, before, body);
  },
});

/** The driver must belong to the truck's own location. */
function toDriverReference(model: string, locationId: number): Reference {
  return {
    field: `${model}.driver_id`,
    table: "drivers",
    noun: "driver",
    listedBy: { operation: "drivers.list", params: { location_id: locationId } },
    locationId,
  };
}
