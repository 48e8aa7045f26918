import { defineOperation } from "../../core/operation.ts";
import { defaultVersion } from "../../models/api-versions.ts";
import { CreateWebhookModel, WebhookModel } from "../../models/hook.ts";
import { makeSecret } from "../../webhooks/sign.ts";
import { requireTenantWide } from "../records.ts";
import { getHook } from "./get-hook.ts";
import { toHookAnswer } from "./hook-answer.ts";
import { requireClearEvents, toKeptHeaders } from "./hook-options.ts";
import { requireDeliverable } from "./require-deliverable.ts";
import { requireHookRoom } from "./require-hook-room.ts";

export const createHook = defineOperation({
  name: "hooks.create",
  summary: "Create a webhook that is called when records change",
  description:
    "A secret is made unless one is given; it is shown in this answer, and later to Admins. Addresses of private networks are refused unless the server allows them.",
  route: "POST /hooks",
  body: CreateWebhookModel,
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getHook },
  refuses: ["limit_reached"],
  async run({ actor, now, service, store, changed }, { body }) {
    requireTenantWide(actor);
    requireClearEvents(body.events, "CreateWebhookModel");
    const headers = toKeptHeaders(body.headers ?? {}, null, "CreateWebhookModel");
    await requireDeliverable(service, store, body.url, "CreateWebhookModel.url");
    await requireHookRoom({ service, store });
    const hook = await store.hooks.insert({
      api_version: body.api_version ?? defaultVersion,
      created_on: now,
      description: body.description ?? null,
      events: body.events,
      headers,
      include_previous: body.include_previous ?? false,
      rate_limit: body.rate_limit ?? null,
      secret: body.secret ?? makeSecret((count) => service.randomBytes(count)),
      url: body.url,
    });
    changed({ type: "Webhook", action: "created", id: hook.id, before: null, after: hook });
    return toHookAnswer(actor, hook, { headers, secret: true });
  },
});
