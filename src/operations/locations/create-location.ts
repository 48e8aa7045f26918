import { defineOperation } from "../../core/operation.ts";
import { CreateLocationModel, LocationModel, locationDefaults } from "../../models/location.ts";
import { addRecord, toNewFields } from "../record-changes.ts";
import { requireTenantWide } from "../records.ts";
import { getLocation } from "./get-location.ts";
import { toLocationAnswer } from "./location-answer.ts";

export const createLocation = defineOperation({
  name: "locations.create",
  summary: "Create a location",
  method: "POST",
  path: "/locations",
  params: {},
  query: {},
  body: CreateLocationModel,
  output: LocationModel,
  record: getLocation,
  roles: ["Admin"],
  effect: "write",
  extension: true,
  async run(context, { body }) {
    requireTenantWide(context.actor);
    const fields = toNewFields(CreateLocationModel, body, locationDefaults);
    return toLocationAnswer(await addRecord(context, "Location", context.store.locations, fields));
  },
});
