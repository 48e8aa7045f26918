import { boolean, id, text, timestamp } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import type { CustomerFilters } from "../../store/queries/customers.ts";

/** The filters of the customer lists (OP-34). */
export const customerFilters = {
  active: optional(boolean().describe("true only active records, false only inactive")),
  created_on_gte: optional(timestamp("past").describe("created on or after")),
  is_parent: optional(boolean().describe("true only customers that are a parent of others")),
  last_updated_gte: optional(timestamp("past").describe("only records updated after")),
  name: optional(text(1, 256).describe("exact but for case; * stands for any characters")),
  parent_id: optional(id().describe("only customers of this parent")),
};

/** The filters that a query gives; null keeps all. */
export function toCustomerFilters(
  query: { [Name in keyof CustomerFilters]?: CustomerFilters[Name] | undefined },
): CustomerFilters {
  return {
    active: query.active ?? null,
    created_on_gte: query.created_on_gte ?? null,
    is_parent: query.is_parent ?? null,
    last_updated_gte: query.last_updated_gte ?? null,
    name: query.name ?? null,
    parent_id: query.parent_id ?? null,
  };
}
