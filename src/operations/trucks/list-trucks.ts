import { id } from "../../models/fields.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { TruckListModel } from "../../models/truck.ts";
import { roles } from "../../models/user.ts";
import { defineOperation } from "../../operation.ts";
import { requireLocation } from "../records.ts";

export const listTrucks = defineOperation({
  name: "trucks.list",
  summary: "List the trucks of a location",
  method: "GET",
  path: "/locations/{location_id}/trucks",
  params: { location_id: id() },
  query: paging,
  body: null,
  output: TruckListModel,
  roles,
  effect: "read",
  cli: { columns: ["id", "name", "type", "driver_id", "out_of_service", "weight"] },
  async run(context, { params, query }) {
    await requireLocation(context, params.location_id);
    const wanted = toPaging(query);
    return toList(await context.store.trucks.page(params.location_id, wanted), wanted);
  },
});
