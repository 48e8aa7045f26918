import { idOrEmpty } from "../fields.ts";
import { optional } from "../model.ts";
import type { RequestChange } from "./change.ts";

/** The driver was a query parameter (UpdateTruckQueryParamsModel), and the request had no body. */
export const truckParametersInBody: RequestChange = {
  kind: "request",
  introduced: "2021/05/07",
  text: "PATCH /locations/{location_id}/trucks/{truck_id} takes its former query parameters in the request body.",
  operation: "trucks.update",
  before: {
    query: { driver_id: optional(idOrEmpty().describe("the truck's driver; empty takes the driver off")) },
    body: null,
  },
  up: ({ query }) => ({ query: {}, body: query }),
  down: ({ body, query: unchanged }) => {
    const { driver_id, ...rest } = body ?? {};
    const query = driver_id === undefined ? unchanged : { ...unchanged, driver_id };
    // The old form cannot express these, so they stay in the body for the server to refuse.
    return { query, body: Object.keys(rest).length === 0 ? null : rest };
  },
};
