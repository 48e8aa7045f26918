import { boolean, id, text, timestamp } from "./fields.ts";
import { type FilterValues, optional } from "./model.ts";

/** The filters of the customer lists (OP-34). */
export const customerFilters = {
  active: optional(boolean().describe("true only active records, false only inactive")),
  created_on_gte: optional(timestamp("past").describe("created on or after")),
  is_parent: optional(boolean().describe("true only customers that are a parent of others")),
  last_updated_gte: optional(timestamp("past").describe("only records updated after")),
  name: optional(text(1, 256).describe("exact but for case; * stands for any characters")),
  parent_id: optional(id().describe("only customers of this parent")),
};

/** The filters as they are read from a query. */
export type CustomerFilters = FilterValues<typeof customerFilters>;
