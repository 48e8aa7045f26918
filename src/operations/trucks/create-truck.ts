import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure, throwIfAny } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { CreateTruckModel, TruckModel, truckDefaults } from "../../models/truck.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { findUnknown, requireLocation } from "../records.ts";
import { toDriverReference } from "./driver-reference.ts";
import { getTruck } from "./get-truck.ts";

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
    const reference = toDriverReference("CreateTruckModel", params.location_id);
    throwIfAny(await findUnknown(context, [[reference, body.driver_id]]));
    await requireRoom(context);
    const fields = toNewFields(CreateTruckModel, body, {
      ...truckDefaults,
      location_id: params.location_id,
    });
    return addRecord(context, "Truck", context.store.trucks, fields);
  },
});

/** A tenant may have a limit on its trucks. */
async function requireRoom({ store }: Context): Promise<void> {
  const { truck_limit: limit } = await store.tenant.get();
  if (limit === null || (await store.trucks.countAll()) < limit) return;
  throw failure("state_conflict", `The tenant may have ${limit} trucks and has them.`);
}
