import { defineOperation } from "../../core/operation.ts";
import { CreateCustomerAddressModel, CustomerAddressModel } from "../../models/address.ts";
import { id } from "../../models/fields.ts";
import { toNewAddress } from "../customers/new-address.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { found } from "../records.ts";
import { getAddress } from "./get-address.ts";

export const addAddress = defineOperation({
  name: "addresses.add",
  summary: "Add an address to a customer",
  route: "POST /customers/{customer_id}/addresses",
  params: { customer_id: id().describe("customer identifier") },
  body: CreateCustomerAddressModel,
  output: CustomerAddressModel,
  allow: ["Dispatcher"],
  changes: { record: getAddress, emits: ["Customer"] },
  async run(context, { params, body }) {
    const { store } = context;
    const customer = found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const address = await store.customers.insertAddress(customer.id, toNewAddress(body));
    await reportCustomer(context, customer);
    return address;
  },
});
