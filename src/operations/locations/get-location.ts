import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { LocationModel } from "../../models/location.ts";
import { roles } from "../../models/user.ts";
import { requireLocation } from "../records.ts";
import { toLocationAnswer } from "./location-answer.ts";

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
  run: async (context, { params }) => toLocationAnswer(await requireLocation(context, params.location_id)),
});
