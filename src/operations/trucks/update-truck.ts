import { throwIfAny } from "../../errors.ts";
import { id } from "../../models/fields.ts";
import { TruckModel, UpdateTruckRequestModel } from "../../models/truck.ts";
import { defineOperation } from "../../operation.ts";
import { findUnknown, found } from "../records.ts";

export const updateTruck = defineOperation({
  name: "trucks.update",
  summary: "Change a truck: its driver, whether it is in service, its particulars",
  method: "PATCH",
  path: "/locations/{location_id}/trucks/{truck_id}",
  params: { location_id: id(), truck_id: id() },
  query: {},
  body: UpdateTruckRequestModel,
  output: TruckModel,
  roles: ["Admin", "Dispatcher"],
  effect: "write",
  emits: ["Truck"],
  cli: { example: "trucks update 3 --location 1 --driver-id 2" },
  async run(context, { params, body }) {
    const { store, changed } = context;
    const before = found(
      await store.trucks.find(params.location_id, params.truck_id),
      "truck",
      params.truck_id,
    );
    throwIfAny(
      await findUnknown(context, [
        [
          {
            field: "UpdateTruckRequestModel.driver_id",
            table: "drivers",
            noun: "driver",
            listedBy: null,
          },
          body.driver_id,
        ],
      ]),
    );
    const after = {
      ...before,
      driver_id: keep(body.driver_id, before.driver_id),
      interface_color: keep(body.interface_color, before.interface_color),
      name: body.name ?? before.name,
      notes: keep(body.notes, before.notes),
      out_of_service: body.out_of_service ?? before.out_of_service,
      require_odometer: body.require_odometer ?? before.require_odometer,
      trailer_id: keep(body.trailer_id, before.trailer_id),
      type: keep(body.type, before.type),
      weight: keep(body.weight, before.weight),
    };
    const { id: truckId, ...fields } = after;
    await store.trucks.update(truckId, fields);
    changed({ type: "Truck", action: "updated", id: truckId, before, after });
    return after;
  },
});

/** A field that is not sent stays; null empties it. */
function keep<T>(sent: T | null | undefined, kept: T | null): T | null {
  return sent === undefined ? kept : sent;
}
