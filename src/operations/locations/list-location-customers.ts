import { defineOperation } from "../../core/operation.ts";
import { DispatchCustomerLocationListModel } from "../../models/customer.ts";
import { customerFilters } from "../../models/customer-filters.ts";
import { id } from "../../models/fields.ts";
import { cursorPaging, toList, toPaging } from "../../models/page.ts";
import { toLocationCustomer } from "../../store/queries/location-customer.ts";
import { requireLocation } from "../records.ts";

export const listLocationCustomers = defineOperation({
  name: "locations.customers",
  summary: "List the customers of a location",
  route: "GET /locations/{location_id}/customers",
  params: { location_id: id() },
  query: { ...cursorPaging, ...customerFilters },
  output: DispatchCustomerLocationListModel,
  allow: "anyRole",
  reads: {
    // The id was called customer_id before 2021/04/07 (OP-25).
    listing: { idFields: ["id", "customer_id"] },
  },
  async run(context, { params, query }) {
    await requireLocation(context, params.location_id);
    const wanted = toPaging(query);
    const page = await context.store.customers.pageAt(params.location_id, query, wanted);
    return toList(
      {
        ...page,
        rows: page.rows.flatMap((customer) => toLocationCustomer(customer, params.location_id) ?? []),
      },
      wanted,
    );
  },
});
