import type * as z from "zod";
import { defineOperation } from "../../core/operation.ts";
import { ChangedDriverModel, CreateDriverModel, driverDefaults } from "../../models/driver.ts";
import { id } from "../../models/fields.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { requireLocation } from "../records.ts";
import { toDriverAnswer } from "./driver-answer.ts";
import { getDriver } from "./get-driver.ts";

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
