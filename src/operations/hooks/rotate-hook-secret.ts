import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { RotateWebhookSecretModel, WebhookModel } from "../../models/hook.ts";
import { toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import { requireSecret } from "../../webhooks/hook-request.ts";
import { makeSecret } from "../../webhooks/sign.ts";
import { found } from "../records.ts";
import { getHook, toHookAnswer } from "./hooks.ts";

const hourMs = 60 * 60 * 1000;

export const rotateHookSecret = defineOperation({
  name: "hooks.rotate-secret",
  summary: "Give a webhook a new secret; for a time deliveries are signed with the old one too",
  description:
    "For overlap_hours deliveries are signed with the old secret too, so that a receiver can be changed meanwhile.",
  route: "POST /hooks/{hook_id}/rotate_secret",
  params: { hook_id: id() },
  body: RotateWebhookSecretModel,
  output: WebhookModel,
  allow: ["Admin"],
  changes: { record: getHook },
  extension: true,
  async run({ actor, now, service, store, changed }, { params, body }) {
    const before = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    if (before.deleted_at !== null) {
      throw failure(
        "state_conflict",
        `Webhook ${before.id} was deactivated on ${before.deleted_at}; it signs nothing.`,
      );
    }
    const overlapMs = (body.overlap_hours ?? 24) * hourMs;
    const secrets = {
      old_secret: overlapMs === 0 ? null : requireSecret(before),
      old_secret_until: overlapMs === 0 ? null : toTimestamp(toEpochMs(now) + overlapMs),
      secret: makeSecret((count) => service.randomBytes(count)),
    };
    const after = { ...before, ...secrets };
    await store.hooks.update(after.id, secrets);
    changed({ type: "Webhook", action: "secret_rotated", id: after.id, before, after });
    return toHookAnswer(actor, after, { secret: true });
  },
});
