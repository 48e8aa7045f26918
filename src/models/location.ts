import type * as z from "zod";
import { boolean, emailList, id, text } from "./fields.ts";
import { CreateLocationAddressModel, LocationAddressModel } from "./location-address.ts";
import { allNullable, allOptional, defineModel, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";
import { timeZone } from "./time-zone.ts";

const contactFields = { email: emailList(256), name: text(1, 128), number: text(1, 90) };

const LocationContactModel = defineModel("LocationContactModel", allNullable(contactFields));

const CreateLocationContactModel = defineModel("CreateLocationContactModel", allOptional(contactFields));

/** A contact as it was sent, and is kept: it need not have every field. */
export type SentContact = z.output<typeof CreateLocationContactModel>;

const flagFields = {
  driver_self_assignment: boolean(),
  require_reference_number: boolean(),
  require_signature: boolean(),
  use_additional_items: boolean(),
};

/** What the five job types are called at the location. */
const typeNameFields = {
  delivery_name: text(1, 64).describe("what a job of type L is called"),
  dropoff_name: text(1, 64).describe("what a job of type D is called"),
  exchange_name: text(1, 64).describe("what a job of type E is called"),
  pickup_name: text(1, 64).describe("what a job of type P is called"),
  service_name: text(1, 64).describe("what a job of type R is called"),
};

const name = text(1, 64);
const ownTimeZone = timeZone().describe("time zone of the location (null: the tenant's)");

const createFields = {
  ...allOptional({ ...flagFields, ...typeNameFields }),
  address: optional(CreateLocationAddressModel),
  contact: optional(CreateLocationContactModel),
  distance_label: optional(text(1, 16).describe('unit of distances (default "mi")')),
  name,
  time_zone: optional(ownTimeZone),
};

export const CreateLocationModel = defineModel("CreateLocationModel", createFields);

export const UpdateLocationModel = defineModel("UpdateLocationModel", {
  ...createFields,
  is_active: optional(boolean()),
  name: optional(name),
});

export const LocationModel = defineModel("LocationModel", {
  ...flagFields,
  ...typeNameFields,
  address: nullable(LocationAddressModel),
  contact: nullable(LocationContactModel),
  distance_label: text(1, 16),
  id: id(),
  is_active: boolean(),
  name,
  time_zone: nullable(ownTimeZone),
});

export const LocationListModel = defineList("LocationListModel", LocationModel);
