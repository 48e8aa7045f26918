import { defineOperation } from "../../core/operation.ts";
import { CustomerAddressModel } from "../../models/address.ts";
import { id } from "../../models/fields.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { findOwnAddress } from "./find-address.ts";
import { getAddress } from "./get-address.ts";

export const removeAddress = defineOperation({
  name: "addresses.remove",
  summary: "Remove an address from a customer",
  description: "The address is kept with is_active false.",
  route: "DELETE /customers/{customer_id}/addresses/{customer_address_id}",
  params: { customer_address_id: id(), customer_id: id() },
  output: CustomerAddressModel,
  allow: ["Dispatcher"],
  changes: { record: getAddress, emits: ["Customer"] },
  async run(context, { params }) {
    const { address, customer } = await findOwnAddress(context, params);
    // Removing again answers the address unchanged, as with webhooks (OP-78).
    if (!address.is_active) return address;
    const removed = { ...address, is_active: false };
    await context.store.customers.updateAddress(customer.id, removed);
    await reportCustomer(context, customer);
    return removed;
  },
});
