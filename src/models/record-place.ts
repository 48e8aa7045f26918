import { choice, id } from "./fields.ts";
import { defineModel, nullable } from "./model.ts";

/** Records of a location or a customer, by the words of their commands. */
export const placedKinds = [
  "addresses",
  "asset-types",
  "assets",
  "contacts",
  "customers",
  "drivers",
  "dump-destinations",
  "jobs",
  "materials",
  "trucks",
  "users",
] as const;

export type PlacedKind = (typeof placedKinds)[number];

/** Ids are unique within a tenant. */
export const recordPlaceFields = {
  kind: choice(placedKinds).describe("kind of the record"),
  record_id: id().describe("the record whose location to find"),
};

export const RecordPlaceModel = defineModel("RecordPlaceModel", {
  customer_id: nullable(id().describe("the customer that it belongs to")),
  location_id: nullable(id().describe("the location that it belongs to")),
});
