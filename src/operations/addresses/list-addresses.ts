import { defineOperation } from "../../core/operation.ts";
import { CustomerAddressListModel } from "../../models/address.ts";
import { boolean, id } from "../../models/fields.ts";
import { optional } from "../../models/model.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { found } from "../records.ts";

export const listAddresses = defineOperation({
  name: "addresses.list",
  summary: "List the addresses of a customer",
  route: "GET /customers/{customer_id}/addresses",
  params: { customer_id: id() },
  query: {
    ...paging,
    active: optional(boolean().describe("true only active addresses, false only inactive")),
  },
  output: CustomerAddressListModel,
  allow: "anyRole",
  async run({ store }, { params, query }) {
    found(await store.customers.find(params.customer_id), "customer", params.customer_id);
    const wanted = toPaging(query);
    return toList(await store.customers.pageOfAddresses(params.customer_id, query.active, wanted), wanted);
  },
});
