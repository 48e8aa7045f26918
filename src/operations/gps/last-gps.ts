import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { TruckPlaceListModel } from "../../models/gps.ts";
import { paging } from "../../models/page.ts";
import { listAtLocation } from "../records.ts";

/** Customers see the trucks of their jobs, and no drivers: where these are at the moment is none of their business (OP-382). */
export const lastGps = defineOperation({
  name: "gps.last",
  summary: "Tell where each truck of a location was last",
  route: "GET /locations/{location_id}/gps_events/last",
  params: { location_id: id() },
  query: paging,
  output: TruckPlaceListModel,
  allow: ["Admin", "CrmUser", "Dispatcher", "Driver", "ThirdPartyDispatcher", "ThirdPartyDriver"],
  extension: true,
  run: (context, { params, query }) =>
    listAtLocation(context, params.location_id, query, (paging) =>
      context.store.gps.lastPlaces(params.location_id, paging),
    ),
});
