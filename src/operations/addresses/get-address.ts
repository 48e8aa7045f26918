import { defineOperation } from "../../core/operation.ts";
import { CustomerAddressModel } from "../../models/address.ts";
import { id } from "../../models/fields.ts";
import { roles } from "../../models/user.ts";
import { findOwnAddress } from "./find-address.ts";

export const getAddress = defineOperation({
  name: "addresses.get",
  summary: "Show an address of a customer, removed or not",
  method: "GET",
  path: "/customers/{customer_id}/addresses/{customer_address_id}",
  params: { customer_address_id: id(), customer_id: id() },
  query: {},
  body: null,
  output: CustomerAddressModel,
  roles,
  effect: "read",
  async run(context, { params }) {
    const { address } = await findOwnAddress(context, params);
    return address;
  },
});
