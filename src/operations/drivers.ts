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
import type { Driver } from "../store/queries/drivers.ts";
import { addRecord, changeRecord, toNewFields, toPatched } from "./record-changes.ts";
import { found, listAtLocation, requireLocation } from "./records.ts";

export const getDriver = defineOperation({
  name: "drivers.get",
  summary: "Show a driver",
  route: "GET /locations/{location_id}/drivers/{driver_id}",
  params: { location_id: id(), driver_id: id() },
  output: DriverModel,
  allow: "anyRole",
  async run({ store }, { params }) {
    return found(await store.drivers.find(params.location_id, params.driver_id), "driver", params.driver_id);
  },
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

/** One request where the lists by location are one for each: a day of hundreds of locations is read by it (OP-407). */
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
    const fields = toNewDriver(params.location_id, body);
    return toDriverAnswer(await addRecord(context, "Driver", context.store.drivers, fields));
  },
});

/** A driver who may do nothing beyond driving unless the body says so. */
export function toNewDriver(locationId: number, body: z.output<typeof CreateDriverModel>) {
  return toNewFields(CreateDriverModel, body, {
    ...driverDefaults,
    location_id: locationId,
  });
}

export const updateDriver = defineOperation({
  name: "drivers.update",
  summary: "Change a driver: particulars, permissions, whether it still drives",
  route: "PATCH /locations/{location_id}/drivers/{driver_id}",
  params: { location_id: id(), driver_id: id() },
  body: UpdateDriverModel,
  output: ChangedDriverModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getDriver },
  extension: true,
  async run(context, { params, body }) {
    const { drivers } = context.store;
    const before = found(
      await drivers.find(params.location_id, params.driver_id),
      "driver",
      params.driver_id,
    );
    const after = toPatched(before, body);
    return toDriverAnswer(await changeRecord(context, "Driver", drivers, before, after));
  },
});

/** A driver as every answer but that of drivers.get shows it: whom it may assign and dispatch to is shown there only. */
function toDriverAnswer(driver: Driver) {
  return { ...driver, can_assign_to: null, can_dispatch_to: null };
}
