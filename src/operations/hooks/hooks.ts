import type { Actor } from "../../auth/actor.ts";
import { defineOperation } from "../../core/operation.ts";
import { kindsOf } from "../../models/event-kinds.ts";
import { boolean, id } from "../../models/fields.ts";
import { WebhookListModel, WebhookModel } from "../../models/hook.ts";
import { optional } from "../../models/model.ts";
import { hiddenValue } from "../../models/own-headers.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import { decodeSecret } from "../../webhooks/secret.ts";
import { found } from "../records.ts";

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

export const listHooks = defineOperation({
  name: "hooks.list",
  summary: "List webhooks",
  route: "GET /hooks",
  query: {
    ...paging,
    deleted: optional(boolean().describe("true only deactivated webhooks, false only active ones")),
  },
  output: WebhookListModel,
  allow: ["Admin", "Dispatcher"],
  async run({ actor, store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.hooks.page(query.deleted, wanted);
    return toList({ ...page, rows: page.rows.map((hook) => toHookAnswer(actor, hook)) }, wanted);
  },
});

/** What the caller has just set, and so may see. */
interface JustSet {
  /** As they were sent: one that only keeps its value is not set by it. */
  headers?: Hook["headers"] | undefined;
  secret?: boolean;
}

/** A webhook as the caller may see it. Only Admins see its secrets, and whoever has just set them (OP-72, OP-289). */
export function toHookAnswer(actor: Actor, hook: Hook, set: JustSet = {}) {
  const isAdmin = actor.roles.includes("Admin");
  const secret = isAdmin || set.secret ? hook.secret : null;
  return {
    ...hook,
    events: kindsOf(hook.events),
    headers: isAdmin ? toOwn(hook.headers) : toHidden(hook.headers, set.headers ?? {}),
    secret,
    standard_secret: secret && `whsec_${Buffer.from(decodeSecret(secret)).toString("base64")}`,
    subscriptions: hook.events,
  };
}

const toOwn = (headers: Hook["headers"]) => (hasNone(headers) ? null : headers);

function toHidden(headers: Hook["headers"], set: Readonly<Record<string, string>>) {
  if (headers === null || hasNone(headers)) return null;
  return Object.fromEntries(Object.keys(headers).map((name) => [name, set[name] ?? hiddenValue]));
}

const hasNone = (headers: Hook["headers"]) => headers === null || Object.keys(headers).length === 0;
