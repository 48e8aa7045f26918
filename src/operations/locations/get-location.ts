import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { LocationModel } from "../../models/location.ts";
import { requireLocation } from "../records.ts";
import { toLocationAnswer } from "./location-answer.ts";

export const getLocation = defineOperation({
  name: "locations.get",
  summary: "Show a location",
  route: "GET /locations/{location_id}",
  params: { location_id: id() },
  output: LocationModel,
  allow: "anyRole",
  run: async (context, { params }) => toLocationAnswer(await requireLocation(context, params.location_id)),
});
