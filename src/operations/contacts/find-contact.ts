import type { Context } from "../../core/context.ts";
import type { Contact, Customer } from "../../store/schema/customer.ts";
import { found } from "../records.ts";

/** The customer and its contact that a path names; throws the 404 of the one that is not there. */
export async function findOwnContact(
  { store }: Context,
  params: { customer_contact_id: number; customer_id: number },
): Promise<{ contact: Contact; customer: Customer }> {
  const { customer_contact_id: contactId, customer_id: customerId } = params;
  const customer = found(await store.customers.find(customerId), "customer", customerId);
  const contact = await store.customers.findContact(customerId, contactId);
  return { contact: found(contact, "contact", contactId), customer };
}
