import { defineOperation } from "../../core/operation.ts";
import { DeliveryModel } from "../../models/delivery.ts";
import { id, uuid } from "../../models/fields.ts";
import { found } from "../records.ts";
import { toDeliveryAnswer } from "./delivery-answer.ts";

export const getDelivery = defineOperation({
  name: "deliveries.get",
  summary: "Show a delivery with each attempt: request, answer, and what happened",
  route: "GET /hooks/{hook_id}/deliveries/{delivery_id}",
  params: { hook_id: id(), delivery_id: uuid() },
  output: DeliveryModel,
  allow: ["Admin", "Dispatcher"],
  extension: true,
  async run({ store }, { params }) {
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    const delivery = await store.deliveries.find(hook.id, params.delivery_id);
    return toDeliveryAnswer(found(delivery, "delivery", params.delivery_id), true);
  },
});
