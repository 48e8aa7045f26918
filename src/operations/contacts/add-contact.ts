import { defineOperation } from "../../core/operation.ts";
import { CreateCustomerContactModel, CustomerContactModel } from "../../models/contact.ts";
import { id } from "../../models/fields.ts";
import { toNewContact } from "../customers/new-contact.ts";
import { reportCustomer } from "../customers/report-customer.ts";
import { found } from "../records.ts";
import { getContact } from "./get-contact.ts";

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
    const { store } = context;
    const customer = found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const contact = await store.customers.insertContact(customer.id, toNewContact(body));
    await reportCustomer(context, customer);
    return contact;
  },
});
