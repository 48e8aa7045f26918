import { defineOperation } from "../../core/operation.ts";
import { DispatchCustomerLocationListModel } from "../../models/customer.ts";
import { boolean, id } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { toLocationCustomer } from "../../store/queries/location-customer.ts";
import { found } from "../records.ts";

export const listCustomerLocations = defineOperation({
  name: "customer-locations.list",
  summary: "List a customer's records at its locations",
  route: "GET /customers/{customer_id}/locations",
  params: { customer_id: id() },
  query: {
    ...paging,
    active: optional(boolean().describe("true only active records, false only inactive")),
    parent_id: optional(id().describe("no records unless this is the customer's parent")),
  },
  output: DispatchCustomerLocationListModel,
  allow: "anyRole",
  reads: {
    // The id was called customer_id before 2021/04/07 (OP-25).
    listing: { idFields: ["id", "customer_id"] },
  },
  async run({ store }, { params, query }) {
    const customer = found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const wanted = toPaging(query);
    const { parent_id: parentId } = query;
    if (parentId !== undefined && parentId !== null && parentId !== customer.parent_id)
      return toList({ rows: [], total: 0 }, wanted);
    const page = await store.customers.pageOfLocations(customer.id, query.active, wanted);
    return toList(
      { ...page, rows: page.rows.flatMap((locationId) => toLocationCustomer(customer, locationId) ?? []) },
      wanted,
    );
  },
});
