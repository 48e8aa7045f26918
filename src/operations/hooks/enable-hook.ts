import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { EnableWebhookModel, WebhookModel } from "../../models/hook.ts";
import { found } from "../records.ts";
import { getHook } from "./get-hook.ts";
import { toHookAnswer } from "./hook-answer.ts";
import { requireHookRoom } from "./require-hook-room.ts";

export const enableHook = defineOperation({
  name: "hooks.enable",
  summary: "Bring a deactivated webhook back, with or without what it has missed",
  description:
    "A webhook that was deactivated gets events again; backlog says what becomes of those of the time between.",
  route: "POST /hooks/{hook_id}/enable",
  params: { hook_id: id() },
  body: EnableWebhookModel,
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getHook, writes: "alone" },
  refuses: ["limit_reached"],
  extension: true,
  async run({ actor, now, service, store, changed }, { params, body }) {
    const before = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    // Enabling an active webhook changes nothing, as deleting a deactivated one does.
    if (before.deleted_at === null) return toHookAnswer(actor, before);
    await requireHookRoom({ service, store });
    const after = { ...before, deleted_at: null, deleted_reason: null, failing_since: null };
    await store.hooks.enable(after.id);
    // Only deliveries that this deactivation cancelled: earlier ones were given up when it was enabled then.
    if (body.backlog === "send") await store.deliveries.resume(after.id, before.deleted_at, now);
    changed({ type: "Webhook", action: "enabled", id: after.id, before, after });
    return toHookAnswer(actor, after);
  },
});
