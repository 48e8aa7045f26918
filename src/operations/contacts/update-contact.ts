import { defineOperation } from "../../core/operation.ts";
import { CustomerContactModel, UpdateCustomerContactModel } from "../../models/contact.ts";
import { id } from "../../models/fields.ts";
import { isSame } from "../../models/json.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { toPatched } from "../record-changes.ts";
import { findOwnContact } from "./find-contact.ts";
import { getContact } from "./get-contact.ts";

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
