import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { CustomerAddressModel, UpdateCustomerAddressModel } from "../../models/address.ts";
import { id } from "../../models/fields.ts";
import { isSame } from "../../models/json.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { toPatched } from "../record-changes.ts";
import { findOwnAddress } from "./find-address.ts";
import { getAddress } from "./get-address.ts";

export const updateAddress = defineOperation({
  name: "addresses.update",
  summary: "Change an address of a customer",
  route: "PATCH /customers/{customer_id}/addresses/{customer_address_id}",
  params: { customer_address_id: id(), customer_id: id() },
  body: UpdateCustomerAddressModel,
  output: CustomerAddressModel,
  allow: ["Dispatcher"],
  changes: { record: getAddress, emits: ["Customer"] },
  async run(context, { params, body }) {
    const { address, customer } = await findOwnAddress(context, params);
    if (!address.is_active) {
      throw failure(
        "state_conflict",
        `Address ${address.id} was removed; it cannot be changed. Add a new one.`,
      );
    }
    const after = toPatched(address, body);
    if (isSame(address, after)) return address;
    await context.store.customers.updateAddress(customer.id, after);
    await reportCustomer(context, customer);
    return after;
  },
});
