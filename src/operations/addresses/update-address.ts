import type * as z from "zod";
import { failure } from "../../errors.ts";
import { CustomerAddressModel, UpdateCustomerAddressModel } from "../../models/address.ts";
import { id } from "../../models/fields.ts";
import { defineOperation } from "../../operation.ts";
import type { Address } from "../../store/queries/load-customers.ts";
import { differs, keep } from "../customers/patch.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { findOwnAddress } from "./find-address.ts";

export const updateAddress = defineOperation({
  name: "addresses.update",
  summary: "Change an address of a customer",
  method: "PATCH",
  path: "/customers/{customer_id}/addresses/{customer_address_id}",
  params: { customer_address_id: id(), customer_id: id() },
  query: {},
  body: UpdateCustomerAddressModel,
  output: CustomerAddressModel,
  roles: ["Dispatcher"],
  effect: "write",
  emits: ["Customer"],
  cli: { example: 'addresses update 1 --customer 1 --line-2 "Gate 4" --is-billing false' },
  async run(context, { params, body }) {
    const { address, customer } = await findOwnAddress(context, params);
    if (!address.is_active) {
      throw failure(
        "state_conflict",
        `Address ${address.id} was removed; it cannot be changed. Add a new one.`,
      );
    }
    const after = patch(address, body);
    if (!differs(address, after)) return address;
    await context.store.customers.updateAddress(customer.id, after);
    await reportCustomer(context, customer);
    return after;
  },
});

function patch(before: Address, sent: z.output<typeof UpdateCustomerAddressModel>): Address {
  return {
    ...before,
    country: sent.country ?? before.country,
    is_billing: sent.is_billing ?? before.is_billing,
    is_shipping: sent.is_shipping ?? before.is_shipping,
    latitude: sent.latitude ?? before.latitude,
    line_1: sent.line_1 ?? before.line_1,
    line_2: keep(sent.line_2, before.line_2),
    line_3: keep(sent.line_3, before.line_3),
    line_4: keep(sent.line_4, before.line_4),
    locality: sent.locality ?? before.locality,
    longitude: sent.longitude ?? before.longitude,
    postcode: sent.postcode ?? before.postcode,
    region: sent.region ?? before.region,
  };
}
