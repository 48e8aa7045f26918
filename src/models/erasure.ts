import { choice, id, integer, timestamp } from "./fields.ts";
import { defineModel, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";

const fields = {
  erased_on: timestamp("past"),
  finished_on: nullable(timestamp("past").describe("when it was erased everywhere; null while that goes on")),
  id: id(),
  record_id: id(),
  record_type: choice(["Customer", "CustomerContact", "User"]).describe("what was erased"),
  rows_changed: integer(0).describe("rows of its history in which something was erased so far"),
  user_id: id().describe("who erased it"),
};

/** An erasure: of whom, by whom and when, and nothing of what was erased. */
const ErasureModel = defineModel("ErasureModel", fields);

/** The answer to who erases: with how much there is of whom is erased, which all stays without what is personal in it. */
export const MadeErasureModel = defineModel("MadeErasureModel", {
  ...fields,
  addresses: integer(0),
  assets: integer(0),
  contacts: integer(0),
  drivers: integer(0),
  jobs: integer(0),
  tokens: integer(0).describe("access tokens, which are revoked"),
});

export const ErasureListModel = defineList("ErasureListModel", ErasureModel);

/** The filters of erasures.list. */
export const erasureFilters = {
  since: optional(timestamp("past").describe("erased on or after: what a restored backup does not know")),
};
