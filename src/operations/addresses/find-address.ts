import type { Context } from "../../core/context.ts";
import type { Address, Customer } from "../../store/schema/customer.ts";
import { found } from "../records.ts";

/** The customer and its address that a path names, active or not; throws the 404 of the one that is not there. */
export async function findOwnAddress(
  { store }: Context,
  params: { customer_address_id: number; customer_id: number },
): Promise<{ address: Address; customer: Customer }> {
  const { customer_address_id: addressId, customer_id: customerId } = params;
  const customer = found(await store.customers.find(customerId), "customer", customerId);
  const address = await store.customers.findAnyAddress(customerId, addressId);
  return { address: found(address, "address", addressId), customer };
}
