import { defineOperation } from "../../core/operation.ts";
import { DeliveryListModel, deliveryStatuses } from "../../models/delivery.ts";
import { choice, id, timestamp } from "../../models/fields.ts";
import { hookEvents } from "../../models/hook.ts";
import { optional } from "../../models/model.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { found } from "../records.ts";
import { toDeliveryAnswer } from "./delivery-answer.ts";

export const listDeliveries = defineOperation({
  name: "deliveries.list",
  summary: "List what was sent to a webhook or is still to be sent, the newest first",
  method: "GET",
  path: "/hooks/{hook_id}/deliveries",
  params: { hook_id: id() },
  query: {
    ...paging,
    event: optional(choice(hookEvents).describe("only deliveries of this kind of event")),
    since: optional(timestamp().describe("only deliveries made at this moment or later")),
    status: optional(choice(deliveryStatuses).describe("only deliveries in this state")),
  },
  body: null,
  output: DeliveryListModel,
  roles: ["Admin", "Dispatcher"],
  effect: "read",
  listing: { idFields: ["delivery_id"] },
  extension: true,
  async run({ store }, { params, query }) {
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    const wanted = toPaging(query);
    const filters = { event: query.event ?? null, since: query.since ?? null, status: query.status ?? null };
    const page = await store.deliveries.page(hook.id, filters, wanted);
    return toList({ ...page, rows: page.rows.map((row) => toDeliveryAnswer(row, false)) }, wanted);
  },
});
