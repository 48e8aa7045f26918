import { defineOperation } from "../../core/operation.ts";
import { LocationListModel } from "../../models/location.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { roles } from "../../models/user.ts";
import { toLocationAnswer } from "./location-answer.ts";

export const listLocations = defineOperation({
  name: "locations.list",
  summary: "List the locations of the tenant",
  method: "GET",
  path: "/locations",
  params: {},
  query: paging,
  body: null,
  output: LocationListModel,
  roles,
  effect: "read",
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.locations.page(wanted);
    return toList({ ...page, rows: page.rows.map(toLocationAnswer) }, wanted);
  },
});
