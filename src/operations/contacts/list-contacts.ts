import { defineOperation } from "../../core/operation.ts";
import { CustomerContactListModel } from "../../models/contact.ts";
import { id } from "../../models/fields.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { found } from "../records.ts";

export const listContacts = defineOperation({
  name: "contacts.list",
  summary: "List the contacts of a customer",
  route: "GET /customers/{customer_id}/contacts",
  params: { customer_id: id() },
  query: paging,
  output: CustomerContactListModel,
  allow: "anyRole",
  async run({ store }, { params, query }) {
    found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const wanted = toPaging(query);
    return toList(await store.customers.pageOfContacts(params.customer_id, wanted), wanted);
  },
});
