import type * as z from "zod";
import { CustomerContactModel, UpdateCustomerContactModel } from "../../models/contact.ts";
import { id } from "../../models/fields.ts";
import { defineOperation } from "../../operation.ts";
import type { Contact } from "../../store/queries/load-customers.ts";
import { differs, keep } from "../customers/patch.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { findOwnContact } from "./find-contact.ts";

export const updateContact = defineOperation({
  name: "contacts.update",
  summary: "Change a contact of a customer",
  method: "PATCH",
  path: "/customers/{customer_id}/contacts/{customer_contact_id}",
  params: { customer_contact_id: id(), customer_id: id() },
  query: {},
  body: UpdateCustomerContactModel,
  output: CustomerContactModel,
  roles: ["Dispatcher"],
  effect: "write",
  emits: ["Customer"],
  cli: { example: "contacts update 1 --customer 1 --email office@example.com --notify-on-new-request" },
  async run(context, { params, body }) {
    const { contact, customer } = await findOwnContact(context, params);
    const after = patch(contact, body);
    if (!differs(contact, after)) return contact;
    await context.store.customers.updateContact(customer.id, after);
    await reportCustomer(context, customer);
    return after;
  },
});

function patch(before: Contact, sent: z.output<typeof UpdateCustomerContactModel>): Contact {
  return {
    ...before,
    email: keep(sent.email, before.email),
    fax: keep(sent.fax, before.fax),
    name: keep(sent.name, before.name),
    notify_on_acknowledged_request:
      sent.notify_on_acknowledged_request ?? before.notify_on_acknowledged_request,
    notify_on_completed_request: sent.notify_on_completed_request ?? before.notify_on_completed_request,
    notify_on_dispatched_request: sent.notify_on_dispatched_request ?? before.notify_on_dispatched_request,
    notify_on_failed_request: sent.notify_on_failed_request ?? before.notify_on_failed_request,
    notify_on_new_request: sent.notify_on_new_request ?? before.notify_on_new_request,
    number: keep(sent.number, before.number),
  };
}
