import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { WebhookModel } from "../../models/hook.ts";
import { found } from "../records.ts";
import { toHookAnswer } from "./hook-answer.ts";

export const getHook = defineOperation({
  name: "hooks.get",
  summary: "Show a webhook",
  route: "GET /hooks/{hook_id}",
  params: { hook_id: id() },
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  async run({ actor, store }, { params }) {
    return toHookAnswer(actor, found(await store.hooks.find(params.hook_id), "webhook", params.hook_id));
  },
});
