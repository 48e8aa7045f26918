import { defineOperation } from "../../core/operation.ts";
import { locationPaging, toList, toPaging } from "../../models/page.ts";
import { TruckListModel } from "../../models/truck.ts";

/** One request where the lists by location are one for each: a day of hundreds of locations is read by it (OP-407). */
export const listAllTrucks = defineOperation({
  name: "trucks.all",
  summary: "List the trucks of all locations",
  route: "GET /trucks",
  query: locationPaging,
  output: TruckListModel,
  allow: "anyRole",
  reads: { listing: { order: "location" } },
  extension: true,
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.trucks.page(null, wanted), wanted);
  },
});
