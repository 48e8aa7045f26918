import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { TruckModel } from "../../models/truck.ts";
import { found } from "../records.ts";

export const getTruck = defineOperation({
  name: "trucks.get",
  summary: "Show a truck",
  route: "GET /locations/{location_id}/trucks/{truck_id}",
  params: { location_id: id(), truck_id: id() },
  output: TruckModel,
  allow: "anyRole",
  async run({ store }, { params }) {
    return found(await store.trucks.find(params.location_id, params.truck_id), "truck", params.truck_id);
  },
});
