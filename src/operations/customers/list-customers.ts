import { defineOperation } from "../../core/operation.ts";
import { CustomerListModel } from "../../models/customer.ts";
import { customerFilters } from "../../models/customer-filters.ts";
import { id } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import { cursorPaging, toList, toPaging } from "../../models/page.ts";
import { roles } from "../../models/user.ts";

export const listCustomers = defineOperation({
  name: "customers.list",
  summary: "List customers",
  method: "GET",
  path: "/customers",
  params: {},
  query: {
    ...cursorPaging,
    ...customerFilters,
    location_id: optional(id().describe("only customers with a record at this location")),
  },
  body: null,
  output: CustomerListModel,
  roles,
  effect: "read",
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.customers.page(query, wanted), wanted);
  },
});
