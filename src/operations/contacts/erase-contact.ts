import { defineOperation } from "../../core/operation.ts";
import { MadeErasureModel } from "../../models/erasure.ts";
import { id } from "../../models/fields.ts";
import { beginErasure } from "../erasures/begin-erasure.ts";
import { found, requireTenantWide } from "../records.ts";
import { findOwnContact } from "./find-contact.ts";

export const eraseContact = defineOperation({
  name: "contacts.erase",
  summary: "Erase a contact's personal data everywhere, for good",
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
