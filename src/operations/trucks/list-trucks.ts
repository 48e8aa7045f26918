import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { paging } from "../../models/page.ts";
import { TruckListModel } from "../../models/truck.ts";
import { listAtLocation } from "../records.ts";

export const listTrucks = defineOperation({
  name: "trucks.list",
  summary: "List the trucks of a location",
  route: "GET /locations/{location_id}/trucks",
  params: { location_id: id() },
  query: paging,
  output: TruckListModel,
  allow: "anyRole",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (paging) =>
      context.store.trucks.page(params.location_id, paging),
    ),
});
