import type * as z from "zod";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import {
  CreateCustomerAddressModel,
  CustomerAddressListModel,
  CustomerAddressModel,
  UpdateCustomerAddressModel,
} from "../models/address.ts";
import { boolean, id } from "../models/fields.ts";
import { isSame } from "../models/json.ts";
import { optional } from "../models/model.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import type { Address, Customer, NewAddress } from "../store/schema/customer.ts";
import { reportCustomer } from "./customers.ts";
import { toPatched } from "./record-changes.ts";
import { found, requireCustomer } from "./records.ts";

export const getAddress = defineOperation({
  name: "addresses.get",
  summary: "Show an address of a customer, removed or not",
  route: "GET /customers/{customer_id}/addresses/{customer_address_id}",
  params: { customer_address_id: id(), customer_id: id() },
  output: CustomerAddressModel,
  allow: "anyRole",
  run: async (context, { params }) => (await findOwnAddress(context, params)).address,
});

export const listAddresses = defineOperation({
  name: "addresses.list",
  summary: "List the addresses of a customer",
  route: "GET /customers/{customer_id}/addresses",
  params: { customer_id: id() },
  query: {
    ...paging,
    active: optional(boolean().describe("true only active addresses, false only inactive")),
  },
  output: CustomerAddressListModel,
  allow: "anyRole",
  async run(context, { params, query }) {
    await requireCustomer(context, params.customer_id);
    const wanted = toPaging(query);
    return toList(
      await context.store.customers.pageOfAddresses(params.customer_id, query.active, wanted),
      wanted,
    );
  },
});

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
    const customer = await requireCustomer(context, params.customer_id);
    const address = await context.store.customers.insertAddress(customer.id, toNewAddress(body));
    await reportCustomer(context, customer);
    return address;
  },
});

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
        `Address ${address.id} was removed and cannot be changed. Add a new one.`,
      );
    }
    const after = toPatched(address, body);
    if (isSame(address, after)) return address;
    await context.store.customers.updateAddress(customer.id, after);
    await reportCustomer(context, customer);
    return after;
  },
});

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
    // A second removal does nothing, as with webhooks.
    if (!address.is_active) return address;
    const removed = { ...address, is_active: false };
    await context.store.customers.updateAddress(customer.id, removed);
    await reportCustomer(context, customer);
    return removed;
  },
});

/** The address may be inactive. */
export async function findOwnAddress(
  context: Context,
  params: { customer_address_id: number; customer_id: number },
): Promise<{ address: Address; customer: Customer }> {
  const { customer_address_id: addressId, customer_id: customerId } = params;
  const customer = await requireCustomer(context, customerId);
  const address = await context.store.customers.findAnyAddress(customerId, addressId);
  return { address: found(address, "address", addressId), customer };
}

/** A new address can be visited, so it is physical. */
export function toNewAddress(sent: z.output<typeof CreateCustomerAddressModel>): NewAddress {
  return {
    ...sent,
    is_active: true,
    is_physical: true,
    line_2: sent.line_2 ?? null,
    line_3: sent.line_3 ?? null,
    line_4: sent.line_4 ?? null,
  };
}
