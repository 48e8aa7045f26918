import { defineOperation } from "../../core/operation.ts";
import { CustomerModel } from "../../models/customer.ts";
import { id } from "../../models/fields.ts";
import { found } from "../records.ts";

export const getCustomer = defineOperation({
  name: "customers.get",
  summary: "Show a customer with all its locations",
  route: "GET /customers/{customer_id}",
  params: { customer_id: id() },
  output: CustomerModel,
  allow: "anyRole",
  async run({ store }, { params }) {
    return found(await store.customers.find(params.customer_id), "customer", params.customer_id);
  },
});
