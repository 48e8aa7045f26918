import type * as z from "zod";
import { boolean, choice, emailList, id, text } from "./fields.ts";
import { jobTypeNames } from "./job-types.ts";
import { CreateLocationAddressModel, LocationAddressModel } from "./location-address.ts";
import {
  allNullable,
  allOptional,
  allResettable,
  defineModel,
  nullable,
  optional,
  replaceable,
} from "./model.ts";
import { defineList } from "./page.ts";
import { timeZone } from "./time-zone.ts";

const contactFields = {
  email: emailList(256).describe("one or more e-mail addresses, comma-separated"),
  name: text(1, 128).describe("name of the person to call"),
  number: text(1, 90).describe("telephone number"),
};

const LocationContactModel = defineModel("LocationContactModel", allNullable(contactFields));

const CreateLocationContactModel = defineModel("CreateLocationContactModel", allOptional(contactFields), {
  description: "contact person of the location",
});

/** Fields may be missing, as sent. */
export type SentContact = z.output<typeof CreateLocationContactModel>;

const flagFields = {
  driver_self_assignment: boolean().describe("drivers may put jobs on their own truck, stored as given"),
  require_reference_number: boolean().describe("each job needs a reference number, stored as given"),
  require_signature: boolean().describe("each job needs a signature, stored as given"),
  use_additional_items: boolean().describe("drivers may add items to a job, stored as given"),
};

const typeNameFields = {
  delivery_name: text(1, 64).describe("name of job type L"),
  dropoff_name: text(1, 64).describe("name of job type D"),
  exchange_name: text(1, 64).describe("name of job type E"),
  pickup_name: text(1, 64).describe("name of job type P"),
  service_name: text(1, 64).describe("name of job type R"),
};

const name = text(1, 64).describe("name of the location");
const isActive = boolean().describe("false takes the location out of use");
const ownTimeZone = timeZone().describe("time zone of the location (null: the tenant's)");

const ownClock = choice(["12h", "24h"]).describe(
  "how people read times (null: usual for the zone's country)",
);

const distanceLabel = text(1, 16).describe('unit of distances (default "mi")');

const particularFields = {
  address: optional(CreateLocationAddressModel).describe("the address of the yard or office"),
  clock: optional(ownClock),
  contact: optional(CreateLocationContactModel).describe("whom to call or write at the location"),
  time_zone: optional(ownTimeZone),
};

export const locationDefaults = {
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
  use_additional_items: false,
};

export const CreateLocationModel = defineModel("CreateLocationModel", {
  ...allOptional({ ...flagFields, ...typeNameFields, distance_label: distanceLabel }),
  ...particularFields,
  name,
});

export const UpdateLocationModel = defineModel("UpdateLocationModel", {
  ...allResettable(
    { ...flagFields, ...typeNameFields, distance_label: distanceLabel, is_active: isActive },
    locationDefaults,
  ),
  ...particularFields,
  name: replaceable(name),
});

export const LocationModel = defineModel("LocationModel", {
  ...flagFields,
  ...typeNameFields,
  address: nullable(LocationAddressModel).describe("where the location is"),
  clock: nullable(ownClock),
  contact: nullable(LocationContactModel).describe("the person to call at the location"),
  distance_label: text(1, 16).describe("unit of distances, such as mi or km"),
  id: id().describe("location identifier"),
  is_active: boolean().describe("false: the location is out of use"),
  name,
  time_zone: nullable(ownTimeZone),
});

export const LocationListModel = defineList("LocationListModel", LocationModel);
