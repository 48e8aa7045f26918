import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { LocationModel } from "../../models/location.ts";
import { roles } from "../../models/user.ts";
import { requireLocation } from "../records.ts";

export const getLocation = defineOperation({
  name: "locations.get",
  summary: "Show a location",
  method: "GET",
  path: "/locations/{location_id}",
  params: { location_id: id() },
  query: {},
  body: null,
  output: LocationModel,
  roles,
  effect: "read",
  run: (context, { params }) => requireLocation(context, params.location_id),
});
