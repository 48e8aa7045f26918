import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { LocationModel, UpdateLocationModel } from "../../models/location.ts";
import { changeRecord, toPatched } from "../record-changes.ts";
import { requireLocation } from "../records.ts";
import { getLocation } from "./get-location.ts";
import { toLocationAnswer } from "./location-answer.ts";

export const updateLocation = defineOperation({
  name: "locations.update",
  summary: "Change a location: its address, its contact, what job types are called there",
  route: "PATCH /locations/{location_id}",
  params: { location_id: id() },
  body: UpdateLocationModel,
  output: LocationModel,
  allow: ["Admin"],
  changes: { record: getLocation },
  extension: true,
  async run(context, { params, body }) {
    const before = await requireLocation(context, params.location_id);
    const after = toPatched(before, body);
    return toLocationAnswer(await changeRecord(context, "Location", context.store.locations, before, after));
  },
});
