import { defineOperation } from "../../core/operation.ts";
import { CustomerListModel } from "../../models/customer.ts";
import { customerFilters } from "../../models/customer-filters.ts";
import { id } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import { cursorPaging, toList, toPaging } from "../../models/page.ts";

export const listCustomers = defineOperation({
  name: "customers.list",
  summary: "List customers",
  route: "GET /customers",
  query: {
    ...cursorPaging,
    ...customerFilters,
    location_id: optional(id().describe("only customers with a record at this location")),
  },
  output: CustomerListModel,
  allow: "anyRole",
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.customers.page(query, wanted), wanted);
  },
});
