import { defineOperation } from "../../core/operation.ts";
import { CustomerContactModel } from "../../models/contact.ts";
import { id } from "../../models/fields.ts";
import { findOwnContact } from "./find-contact.ts";

export const getContact = defineOperation({
  name: "contacts.get",
  summary: "Show a contact of a customer",
  route: "GET /customers/{customer_id}/contacts/{customer_contact_id}",
  params: { customer_contact_id: id(), customer_id: id() },
  output: CustomerContactModel,
  allow: "anyRole",
  async run(context, { params }) {
    const { contact } = await findOwnContact(context, params);
    return contact;
  },
});
