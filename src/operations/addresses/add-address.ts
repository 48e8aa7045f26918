import { defineOperation } from "../../core/operation.ts";
import { CreateCustomerAddressModel, CustomerAddressModel } from "../../models/address.ts";
import { id } from "../../models/fields.ts";
import { toNewAddress } from "../customers/new-address.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { found } from "../records.ts";

export const addAddress = defineOperation({
  name: "addresses.add",
  summary: "Add an address to a customer",
  method: "POST",
  path: "/customers/{customer_id}/addresses",
  params: { customer_id: id().describe("customer identifier") },
  query: {},
  body: CreateCustomerAddressModel,
  output: CustomerAddressModel,
  roles: ["Dispatcher"],
  effect: "write",
  emits: ["Customer"],
  cli: {
    example: [
      'addresses add --customer 1 --line-1 "1745 T Street SE" \\',
      "    --locality Washington --region DC --postcode 20020 --country US \\",
      "    --latitude 38.867033 --longitude -76.979235 \\",
      "    --is-billing true --is-shipping true",
    ].join("\n"),
  },
  async run(context, { params, body }) {
    const { store } = context;
    const customer = found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const address = await store.customers.insertAddress(customer.id, toNewAddress(body));
    await reportCustomer(context, customer);
    return address;
  },
});
