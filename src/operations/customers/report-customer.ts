import type { Context } from "../../core/context.ts";
import type { Customer } from "../../store/schema/customer.ts";
import { found } from "../records.ts";

/**
 * Reports that a customer, or an address or contact of it, was changed (OP-76), after it was written, and moves the
 * customer's last_updated_on. Gives the customer as it is now. Webhooks are told of all its locations, whichever of
 * them the caller sees.
 */
export async function reportCustomer(
  { now, store, changed }: Context,
  { id, ...before }: Customer,
): Promise<Customer> {
  await store.customers.touch(id, now);
  const whole = found(await store.customers.findWhole(id), "customer", id);
  const after = found(await store.customers.find(id), "customer", id);
  changed({
    type: "Customer",
    action: "updated",
    id,
    before: { id, ...before },
    after: { ...after },
    data: { ...whole },
  });
  return after;
}
