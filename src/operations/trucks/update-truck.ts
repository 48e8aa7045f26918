import { defineOperation } from "../../core/operation.ts";
import { throwIfAny } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { TruckModel, UpdateTruckRequestModel } from "../../models/truck.ts";
import { changeRecord, toPatched } from "../record-changes.ts";
import { findUnknown, found } from "../records.ts";
import { toDriverReference } from "./driver-reference.ts";
import { getTruck } from "./get-truck.ts";

export const updateTruck = defineOperation({
  name: "trucks.update",
  summary: "Change a truck: its driver, whether it is in service, its particulars",
  route: "PATCH /locations/{location_id}/trucks/{truck_id}",
  params: { location_id: id(), truck_id: id() },
  body: UpdateTruckRequestModel,
  output: TruckModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getTruck, emits: ["Truck"] },
  async run(context, { params, body }) {
    const { trucks } = context.store;
    const before = found(await trucks.find(params.location_id, params.truck_id), "truck", params.truck_id);
    const reference = toDriverReference("UpdateTruckRequestModel", params.location_id);
    throwIfAny(await findUnknown(context, [[reference, body.driver_id, before.driver_id]]));
    return changeRecord(context, "Truck", trucks, before, toPatched(before, body));
  },
});
