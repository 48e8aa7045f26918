import { jobTypeNames } from "../../models/job-types.ts";
import { CreateLocationModel, LocationModel } from "../../models/location.ts";
import { defineOperation } from "../../operation.ts";
import { requireTenantWide } from "../records.ts";

export const createLocation = defineOperation({
  name: "locations.create",
  summary: "Create a location",
  method: "POST",
  path: "/locations",
  params: {},
  query: {},
  body: CreateLocationModel,
  output: LocationModel,
  roles: ["Admin"],
  effect: "write",
  extension: true,
  cli: { example: 'locations create --name "North yard"' },
  async run({ actor, store, changed }, { body }) {
    requireTenantWide(actor);
    const location = await store.locations.insert({
      address: body.address ?? null,
      contact: body.contact ?? null,
      delivery_name: body.delivery_name ?? jobTypeNames.L,
      distance_label: body.distance_label ?? "mi",
      driver_self_assignment: body.driver_self_assignment ?? false,
      dropoff_name: body.dropoff_name ?? jobTypeNames.D,
      exchange_name: body.exchange_name ?? jobTypeNames.E,
      is_active: true,
      name: body.name,
      pickup_name: body.pickup_name ?? jobTypeNames.P,
      require_reference_number: body.require_reference_number ?? false,
      require_signature: body.require_signature ?? false,
      service_name: body.service_name ?? jobTypeNames.R,
      use_additional_items: body.use_additional_items ?? false,
    });
    changed({ type: "Location", action: "created", id: location.id, before: null, after: location });
    return location;
  },
});
