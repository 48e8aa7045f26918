import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { WebhookModel } from "../../models/hook.ts";
import { found } from "../records.ts";
import { getHook } from "./get-hook.ts";
import { toHookAnswer } from "./hook-answer.ts";

export const deleteHook = defineOperation({
  name: "hooks.delete",
  summary: "Deactivate a webhook; it receives nothing any more",
  description: "The webhook is kept with deleted_at set, and gets nothing any more.",
  route: "DELETE /hooks/{hook_id}",
  params: { hook_id: id() },
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getHook },
  async run({ actor, now, store, changed }, { params }) {
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    // Deleting again returns the webhook unchanged (OP-78).
    if (hook.deleted_at !== null) return toHookAnswer(actor, hook);
    const deactivated = { ...hook, deleted_at: now };
    await store.hooks.deactivate(hook.id, now, null);
    await store.dueDeliveries.cancelPending(hook.id, now);
    changed({ type: "Webhook", action: "deleted", id: hook.id, before: hook, after: deactivated });
    return toHookAnswer(actor, deactivated);
  },
});
