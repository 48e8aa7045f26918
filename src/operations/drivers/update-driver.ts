import { defineOperation } from "../../core/operation.ts";
import { ChangedDriverModel, UpdateDriverModel } from "../../models/driver.ts";
import { id } from "../../models/fields.ts";
import { changeRecord, toPatched } from "../record-changes.ts";
import { found } from "../records.ts";
import { toDriverAnswer } from "./driver-answer.ts";
import { getDriver } from "./get-driver.ts";

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
