import type * as z from "zod";
import { defineOperation } from "../core/operation.ts";
import {
  ChangedDriverModel,
  CreateDriverModel,
  DriverListModel,
  DriverModel,
  driverDefaults,
  UpdateDriverModel,
} from "../models/driver.ts";
import { id } from "../models/fields.ts";
import { locationPaging, paging, toList, toPaging } from "../models/page.ts";
import type { Driver } from "../store/queries/location-records.ts";
import { recordsOfLocation, refuseBackwards, toNewFields, toPatched } from "./record-changes.ts";
import { listAtLocation, requireLocation } from "./records.ts";

const drivers = recordsOfLocation({
  type: "Driver",
  noun: "driver",
  idParam: "driver_id",
  of: (store) => store.drivers,
});

export const getDriver = defineOperation({
  name: "drivers.get",
  summary: "Show a driver",
  route: "GET /locations/{location_id}/drivers/{driver_id}",
  params: { location_id: id(), driver_id: id() },
  output: DriverModel,
  allow: "anyRole",
  run: (context, { params }) => drivers.find(context, params),
});

export const listDrivers = defineOperation({
  name: "drivers.list",
  summary: "List the drivers of a location",
  route: "GET /locations/{location_id}/drivers",
  params: { location_id: id() },
  query: paging,
  output: DriverListModel,
  allow: "anyRole",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, async (wanted) => {
      const page = await context.store.drivers.page(params.location_id, wanted);
      return { ...page, rows: page.rows.map(toDriverAnswer) };
    }),
});

/** All locations in one list: a day of hundreds of locations needs one request. */
export const listAllDrivers = defineOperation({
  name: "drivers.all",
  summary: "List the drivers of all locations",
  route: "GET /drivers",
  query: locationPaging,
  output: DriverListModel,
  allow: "anyRole",
  reads: { listing: { order: "location" } },
  extension: true,
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.drivers.page(null, wanted);
    return toList({ ...page, rows: page.rows.map(toDriverAnswer) }, wanted);
  },
});

export const createDriver = defineOperation({
  name: "drivers.create",
  summary: "Create a driver",
  route: "POST /locations/{location_id}/drivers",
  params: { location_id: id() },
  body: CreateDriverModel,
  output: ChangedDriverModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getDriver },
  extension: true,
  async run(context, { params, body }) {
    await requireLocation(context, params.location_id);
    refuseBackwards("CreateDriverModel", body);
    return toDriverAnswer(await drivers.add(context, toNewDriver(params.location_id, body)));
  },
});

export function toNewDriver(locationId: number, body: z.output<typeof CreateDriverModel>) {
  return toNewFields(CreateDriverModel, body, { ...driverDefaults, location_id: locationId });
}

export const updateDriver = defineOperation({
  name: "drivers.update",
  summary: "Change a driver: details, permissions, or whether it is active",
  route: "PATCH /locations/{location_id}/drivers/{driver_id}",
  params: { location_id: id(), driver_id: id() },
  body: UpdateDriverModel,
  output: ChangedDriverModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getDriver },
  extension: true,
  async run(context, { params, body }) {
    const before = await drivers.find(context, params);
    refuseBackwards("UpdateDriverModel", toPatched(before, body));
    return toDriverAnswer(await drivers.change(context, before, body));
  },
});

/** Only drivers.get shows whom a driver may assign and dispatch to. */
function toDriverAnswer(driver: Driver) {
  return { ...driver, can_assign_to: null, can_dispatch_to: null };
}
