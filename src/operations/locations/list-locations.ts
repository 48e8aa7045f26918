import { defineOperation } from "../../core/operation.ts";
import { LocationListModel } from "../../models/location.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { toLocationAnswer } from "./location-answer.ts";

export const listLocations = defineOperation({
  name: "locations.list",
  summary: "List the locations of the tenant",
  route: "GET /locations",
  query: paging,
  output: LocationListModel,
  allow: "anyRole",
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.locations.page(wanted);
    return toList({ ...page, rows: page.rows.map(toLocationAnswer) }, wanted);
  },
});
