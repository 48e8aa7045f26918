import { choice, id, integer, timestamp } from "./fields.ts";
import { defineModel, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";

const fields = {
  erased_on: timestamp("past"),
  finished_on: nullable(timestamp("past").describe("when it was erased everywhere; null until then")),
  id: id().describe("number of the erasure"),
  record_id: id().describe("the erased record"),
  record_type: choice(["Customer", "CustomerContact", "User"]).describe("the kind of the erased record"),
  rows_changed: integer(0).describe("changed rows of its history so far"),
  user_id: id().describe("the user who erased it"),
};

const ErasureModel = defineModel("ErasureModel", fields);

/** The affected records stay without their personal data. */
export const MadeErasureModel = defineModel("MadeErasureModel", {
  ...fields,
  addresses: integer(0).describe("affected addresses"),
  assets: integer(0).describe("affected assets"),
  contacts: integer(0).describe("affected contacts"),
  drivers: integer(0).describe("affected drivers"),
  jobs: integer(0).describe("affected jobs"),
  tokens: integer(0).describe("access tokens, which are revoked"),
});

export const ErasureListModel = defineList("ErasureListModel", ErasureModel);

export const erasureFilters = {
  since: optional(timestamp("past").describe("erased on or after, to repeat erasures on a restored backup")),
};
