import { defineOperation } from "../../core/operation.ts";
import { jobTypeNames } from "../../models/job-types.ts";
import { CreateLocationModel, LocationModel } from "../../models/location.ts";
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
    const fields = toNewFields(CreateLocationModel, body, {
      delivery_name: jobTypeNames.L,
      distance_label: "mi",
      driver_self_assignment: false,
      dropoff_name: jobTypeNames.D,
      exchange_name: jobTypeNames.E,
      is_active: true,
      pickup_name: jobTypeNames.P,
      require_reference_number: false,
      require_signature: false,
      service_name: jobTypeNames.R,
      time_zone: null,
      use_additional_items: false,
    });
    return toLocationAnswer(await addRecord(context, "Location", context.store.locations, fields));
  },
});
