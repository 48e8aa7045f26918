import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { ReplayResultModel, ReplayWebhookModel } from "../../models/delivery.ts";
import { id } from "../../models/fields.ts";
import { found } from "../records.ts";
import { requireCalled } from "./call-hook.ts";

/** One transaction makes them all, and nobody else writes for the tenant meanwhile. */
const deliveriesMax = 10_000;

export const replayHook = defineOperation({
  name: "hooks.replay",
  summary: "Send the events of a period once more that were not taken, or all of them",
  route: "POST /hooks/{hook_id}/replay",
  params: { hook_id: id() },
  body: ReplayWebhookModel,
  output: ReplayResultModel,
  allow: ["Admin", "Dispatcher"],
  changes: { writes: "alone" },
  extension: true,
  async run({ now, service, store, changed }, { params, body }) {
    const { delivered, from, to } = { ...body, delivered: body.delivered ?? false, to: body.to ?? now };
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    requireCalled(hook);
    if (to <= from) {
      const field = "ReplayWebhookModel.to";
      throw failure("too_small", `${field} must be after from.`, field);
    }
    const period = { delivered, from, to, max: deliveriesMax };
    const count = await store.deliveries.replayPeriod(hook.id, period, service.makeUuid(), now);
    if (count === null) {
      const field = "ReplayWebhookModel.from";
      const detail = `${field}: the period has more than ${deliveriesMax} deliveries; name a shorter one.`;
      throw failure("too_many", detail, field);
    }
    const after = { count, delivered, from, to };
    if (count > 0) changed({ type: "Webhook", action: "replayed", id: hook.id, before: null, after });
    return { count };
  },
});
