import { defineOperation } from "../../core/operation.ts";
import { DriverListModel } from "../../models/driver.ts";
import { locationPaging, toList, toPaging } from "../../models/page.ts";
import { toDriverAnswer } from "./driver-answer.ts";

/** One request where the lists by location are one for each: a day of hundreds of locations is read by it (OP-407). */
export const listAllDrivers = defineOperation({
  name: "drivers.all",
  summary: "List the drivers of all locations",
  route: "GET /drivers",
  query: locationPaging,
  output: DriverListModel,
  allow: "anyRole",
  reads: { listing: { order: "location" } },
  extension: true,
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.drivers.page(null, wanted);
    return toList({ ...page, rows: page.rows.map(toDriverAnswer) }, wanted);
  },
});
