import type * as z from "zod";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { UpdateWebhookModel, WebhookModel } from "../../models/hook.ts";
import { isSame } from "../../models/json.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import { found } from "../records.ts";
import { getHook } from "./get-hook.ts";
import { toHookAnswer } from "./hook-answer.ts";
import { requireClearEvents, requireKnownHeaders, toKeptHeaders } from "./hook-options.ts";
import { requireDeliverable } from "./require-deliverable.ts";

export const updateHook = defineOperation({
  name: "hooks.update",
  summary: "Change a webhook: its events, URL, secret, version, headers or pace",
  route: "PATCH /hooks/{hook_id}",
  params: { hook_id: id() },
  body: UpdateWebhookModel,
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getHook },
  async run({ actor, service, store, changed }, { params, body }) {
    const before = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    if (before.deleted_at !== null) {
      throw failure(
        "state_conflict",
        `Webhook ${before.id} was deactivated on ${before.deleted_at}; it cannot be changed.`,
      );
    }
    if (body.url) await requireDeliverable(service, store, body.url, "UpdateWebhookModel.url");
    if (!actor.roles.includes("Admin")) requireKnownHeaders(before, body);
    if (body.events) requireClearEvents(body.events, "UpdateWebhookModel");
    const sent = {
      api_version: body.api_version ?? before.api_version,
      events: body.events ?? before.events,
      url: body.url ?? before.url,
      ...toSentOptions(body, before),
      // A secret that is set here replaces all others; hooks.rotate-secret is the way with an overlap.
      ...(body.secret && { old_secret: null, old_secret_until: null, secret: body.secret }),
    };
    const after = { ...before, ...sent };
    const set = { headers: body.headers ?? undefined, secret: Boolean(body.secret) };
    if (isSame(before, after)) return toHookAnswer(actor, after, set);
    await store.hooks.update(after.id, sent);
    changed({ type: "Webhook", action: "updated", id: after.id, before, after });
    return toHookAnswer(actor, after, set);
  },
});

/** The options that the request names; null gives one up. */
function toSentOptions(body: z.output<typeof UpdateWebhookModel>, before: Hook) {
  const { description, headers, include_previous, rate_limit } = body;
  return {
    ...(description !== undefined && { description }),
    ...(headers !== undefined && {
      headers: toKeptHeaders(headers ?? {}, before.headers, "UpdateWebhookModel"),
    }),
    ...(include_previous !== undefined && { include_previous }),
    ...(rate_limit !== undefined && { rate_limit }),
  };
}
