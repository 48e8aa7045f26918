import { defineOperation } from "../../core/operation.ts";
import { CustomerAddressModel } from "../../models/address.ts";
import { id } from "../../models/fields.ts";
import { findOwnAddress } from "./find-address.ts";

export const getAddress = defineOperation({
  name: "addresses.get",
  summary: "Show an address of a customer, removed or not",
  route: "GET /customers/{customer_id}/addresses/{customer_address_id}",
  params: { customer_address_id: id(), customer_id: id() },
  output: CustomerAddressModel,
  allow: "anyRole",
  async run(context, { params }) {
    const { address } = await findOwnAddress(context, params);
    return address;
  },
});
