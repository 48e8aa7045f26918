import { defineOperation } from "../../core/operation.ts";
import { DriverModel } from "../../models/driver.ts";
import { id } from "../../models/fields.ts";
import { found } from "../records.ts";

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
