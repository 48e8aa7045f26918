import { defineOperation } from "../../core/operation.ts";
import { DeliveryListModel, deliveryFilters } from "../../models/delivery.ts";
import { id } from "../../models/fields.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { found } from "../records.ts";
import { toDeliveryAnswer } from "./delivery-answer.ts";

export const listDeliveries = defineOperation({
  name: "deliveries.list",
  summary: "List what was sent to a webhook or is still to be sent, the newest first",
  route: "GET /hooks/{hook_id}/deliveries",
  params: { hook_id: id() },
  query: { ...paging, ...deliveryFilters },
  output: DeliveryListModel,
  allow: ["Admin", "Dispatcher"],
  reads: { listing: { idFields: ["delivery_id"] } },
  extension: true,
  async run({ store }, { params, query }) {
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    const wanted = toPaging(query);
    const page = await store.deliveries.page(hook.id, query, wanted);
    return toList({ ...page, rows: page.rows.map((row) => toDeliveryAnswer(row, false)) }, wanted);
  },
});
