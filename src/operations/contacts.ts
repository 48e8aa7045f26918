import type * as z from "zod";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import {
  CreateCustomerContactModel,
  CustomerContactListModel,
  CustomerContactModel,
  notifyDefaults,
  UpdateCustomerContactModel,
} from "../models/contact.ts";
import { MadeErasureModel } from "../models/erasure.ts";
import { id } from "../models/fields.ts";
import { isSame } from "../models/json.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import type { Contact, Customer, NewContact } from "../store/schema/customer.ts";
import { reportCustomer } from "./customers.ts";
import { beginErasure } from "./erasures.ts";
import { toNewFields, toPatched } from "./record-changes.ts";
import { found, requireCustomer, requireTenantWide } from "./records.ts";

export const getContact = defineOperation({
  name: "contacts.get",
  summary: "Show a contact of a customer",
  route: "GET /customers/{customer_id}/contacts/{customer_contact_id}",
  params: { customer_contact_id: id(), customer_id: id() },
  output: CustomerContactModel,
  allow: "anyRole",
  run: async (context, { params }) => (await findOwnContact(context, params)).contact,
});

export const listContacts = defineOperation({
  name: "contacts.list",
  summary: "List the contacts of a customer",
  route: "GET /customers/{customer_id}/contacts",
  params: { customer_id: id() },
  query: paging,
  output: CustomerContactListModel,
  allow: "anyRole",
  async run(context, { params, query }) {
    await requireCustomer(context, params.customer_id);
    const wanted = toPaging(query);
    return toList(await context.store.customers.pageOfContacts(params.customer_id, wanted), wanted);
  },
});

export const addContact = defineOperation({
  name: "contacts.add",
  summary: "Add a contact to a customer",
  route: "POST /customers/{customer_id}/contacts",
  params: { customer_id: id() },
  body: CreateCustomerContactModel,
  output: CustomerContactModel,
  allow: ["Dispatcher"],
  changes: { record: getContact, emits: ["Customer"] },
  async run(context, { params, body }) {
    const customer = await requireCustomer(context, params.customer_id);
    const contact = await context.store.customers.insertContact(customer.id, toNewContact(body));
    await reportCustomer(context, customer);
    return contact;
  },
});

export const updateContact = defineOperation({
  name: "contacts.update",
  summary: "Change a contact of a customer",
  route: "PATCH /customers/{customer_id}/contacts/{customer_contact_id}",
  params: { customer_contact_id: id(), customer_id: id() },
  body: UpdateCustomerContactModel,
  output: CustomerContactModel,
  allow: ["Dispatcher"],
  changes: { record: getContact, emits: ["Customer"] },
  async run(context, { params, body }) {
    const { contact, customer } = await findOwnContact(context, params);
    const after = toPatched(contact, body);
    if (isSame(contact, after)) return contact;
    await context.store.customers.updateContact(customer.id, after);
    await reportCustomer(context, customer);
    return after;
  },
});

export const eraseContact = defineOperation({
  name: "contacts.erase",
  summary: "Erase a contact's personal data everywhere, permanently",
  description:
    "The contact stays with its id; name, e-mail and numbers are removed wherever they are kept: in the record, the audit trail, events, deliveries and kept answers.",
  route: "POST /customers/{customer_id}/contacts/{customer_contact_id}/erase",
  params: { customer_contact_id: id(), customer_id: id() },
  output: MadeErasureModel,
  allow: ["Admin"],
  changes: { emits: ["Customer"], writes: "alone" },
  effect: "delete",
  extension: true,
  async run(context, { params }) {
    const { actor, changed, now, store } = context;
    requireTenantWide(actor);
    const { contact, customer } = await findOwnContact(context, params);
    const counts = await store.erasures.eraseContact({ customerId: customer.id, id: contact.id }, now);
    const erasure = await beginErasure(context, { id: contact.id, type: "CustomerContact" }, counts);
    const data = found(await store.customers.findWhole(customer.id), "customer", customer.id);
    const after = { contact_id: contact.id, id: customer.id };
    changed({ type: "Customer", action: "erased", id: customer.id, before: null, after, data: { ...data } });
    return erasure;
  },
});

async function findOwnContact(
  context: Context,
  params: { customer_contact_id: number; customer_id: number },
): Promise<{ contact: Contact; customer: Customer }> {
  const { customer_contact_id: contactId, customer_id: customerId } = params;
  const customer = await requireCustomer(context, customerId);
  const contact = await context.store.customers.findContact(customerId, contactId);
  return { contact: found(contact, "contact", contactId), customer };
}

export function toNewContact(sent: z.output<typeof CreateCustomerContactModel>): NewContact {
  return toNewFields(CreateCustomerContactModel, sent, notifyDefaults);
}
