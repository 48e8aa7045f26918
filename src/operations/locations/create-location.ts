import { defineOperation } from "../../core/operation.ts";
import { CreateLocationModel, LocationModel, locationDefaults } from "../../models/location.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { requireTenantWide } from "../records.ts";
import { getLocation } from "./get-location.ts";
import { toLocationAnswer } from "./location-answer.ts";

export const createLocation = defineOperation({
  name: "locations.create",
  summary: "Create a location",
  route: "POST /locations",
  body: CreateLocationModel,
  output: LocationModel,
  allow: ["Admin"],
  changes: { record: getLocation },
  extension: true,
  async run(context, { body }) {
    requireTenantWide(context.actor);
    const fields = toNewFields(CreateLocationModel, body, locationDefaults);
    return toLocationAnswer(await addRecord(context, "Location", context.store.locations, fields));
  },
});
