import { failure, throwIfAny } from "../../errors.ts";
import { id } from "../../models/fields.ts";
import { CreateTruckModel, TruckModel } from "../../models/truck.ts";
import { type Context, defineOperation } from "../../operation.ts";
import { findUnknown, requireLocation } from "../records.ts";

export const createTruck = defineOperation({
  name: "trucks.create",
  summary: "Create a truck",
  method: "POST",
  path: "/locations/{location_id}/trucks",
  params: { location_id: id() },
  query: {},
  body: CreateTruckModel,
  output: TruckModel,
  roles: ["Admin", "Dispatcher"],
  effect: "write",
  emits: ["Truck"],
  extension: true,
  cli: { example: 'trucks create --location 1 --name "Truck 7"' },
  async run(context, { params, body }) {
    const { store, changed } = context;
    await requireLocation(context, params.location_id);
    throwIfAny(
      await findUnknown(context, [
        [
          { field: "CreateTruckModel.driver_id", table: "drivers", noun: "driver", listedBy: null },
          body.driver_id,
        ],
      ]),
    );
    await requireRoom(context);
    const truck = await store.trucks.insert({
      driver_id: body.driver_id ?? null,
      interface_color: body.interface_color ?? null,
      location_id: params.location_id,
      name: body.name,
      notes: body.notes ?? null,
      out_of_service: body.out_of_service ?? false,
      require_odometer: body.require_odometer ?? false,
      third_party_hauler_id: body.third_party_hauler_id ?? null,
      trailer_id: body.trailer_id ?? null,
      type: body.type ?? null,
      weight: body.weight ?? null,
    });
    changed({ type: "Truck", action: "created", id: truck.id, before: null, after: truck });
    return truck;
  },
});

/** A tenant may have a limit on its trucks. */
async function requireRoom({ store }: Context): Promise<void> {
  const { truck_limit: limit } = await store.tenant.get();
  if (limit === null || (await store.trucks.countAll()) < limit) return;
  throw failure("state_conflict", `The tenant may have ${limit} trucks and has them.`);
}
