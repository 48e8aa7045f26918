import { defineOperation } from "../../core/operation.ts";
import { DispatchCustomerLocationModel } from "../../models/customer.ts";
import { id } from "../../models/fields.ts";
import { toLocationCustomer } from "../../store/queries/location-customer.ts";
import { found } from "../records.ts";

export const getLocationCustomer = defineOperation({
  name: "locations.customer",
  summary: "Show a customer as a location keeps it",
  route: "GET /locations/{location_id}/customers/{customer_id}",
  params: { customer_id: id(), location_id: id() },
  output: DispatchCustomerLocationModel,
  allow: "anyRole",
  async run({ store }, { params }) {
    const customer = await store.customers.findAt(params.location_id, params.customer_id);
    const shown = toLocationCustomer(customer, params.location_id);
    return found(shown, "customer", params.customer_id);
  },
});
