import { defineOperation } from "../../core/operation.ts";
import { DriverListModel } from "../../models/driver.ts";
import { id } from "../../models/fields.ts";
import { paging } from "../../models/page.ts";
import { listAtLocation } from "../records.ts";
import { toDriverAnswer } from "./driver-answer.ts";

export const listDrivers = defineOperation({
  name: "drivers.list",
  summary: "List the drivers of a location",
  route: "GET /locations/{location_id}/drivers",
  params: { location_id: id() },
  query: paging,
  output: DriverListModel,
  allow: "anyRole",
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, async (wanted) => {
      const page = await context.store.drivers.page(params.location_id, wanted);
      return { ...page, rows: page.rows.map(toDriverAnswer) };
    }),
});
