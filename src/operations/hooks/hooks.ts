import type { Actor } from "../../core/actor.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { ReplayResultModel, ReplayWebhookModel } from "../../models/delivery.ts";
import { kindsOf } from "../../models/event-kinds.ts";
import { boolean, id } from "../../models/fields.ts";
import { RotateWebhookSecretModel, WebhookListModel, WebhookModel } from "../../models/hook.ts";
import { optional } from "../../models/model.ts";
import { hiddenValue } from "../../models/own-headers.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { toEpochMs, toTimestamp } from "../../runtime/clock.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import { requireSecret } from "../../webhooks/hook-request.ts";
import { decodeSecret } from "../../webhooks/secret.ts";
import { makeSecret } from "../../webhooks/sign.ts";
import { requireHook } from "../records.ts";

export const getHook = defineOperation({
  name: "hooks.get",
  summary: "Show a webhook",
  route: "GET /hooks/{hook_id}",
  params: { hook_id: id() },
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  async run({ actor, store }, { params }) {
    return toHookAnswer(actor, await requireHook({ store }, params.hook_id));
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

/** The caller may see values that it has just set. */
interface JustSet {
  /** As sent: a hidden value keeps the stored one, so it is not shown. */
  headers?: Hook["headers"] | undefined;
  secret?: boolean;
}

/** Only Admins see secrets, and the caller who has just set them. */
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

const hourMs = 60 * 60 * 1000;

export const rotateHookSecret = defineOperation({
  name: "hooks.rotate-secret",
  summary: "Give a webhook a new secret; the old one also signs deliveries for a while",
  description:
    "Deliveries are signed with the old secret too for overlap_hours, which gives you time to update the receiver.",
  route: "POST /hooks/{hook_id}/rotate_secret",
  params: { hook_id: id() },
  body: RotateWebhookSecretModel,
  output: WebhookModel,
  allow: ["Admin"],
  changes: { record: getHook },
  extension: true,
  async run({ actor, now, service, store, changed }, { params, body }) {
    const before = await requireHook({ store }, params.hook_id);
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

/** One transaction writes all of them, and other writers of the tenant wait. */
const deliveriesMax = 10_000;

export const replayHook = defineOperation({
  name: "hooks.replay",
  summary: "Resend the failed events of a period, or all of them",
  route: "POST /hooks/{hook_id}/replay",
  params: { hook_id: id() },
  body: ReplayWebhookModel,
  output: ReplayResultModel,
  allow: ["Admin", "Dispatcher"],
  changes: { writes: "alone" },
  extension: true,
  async run({ now, service, store, changed }, { params, body }) {
    const { delivered, from, to } = { ...body, delivered: body.delivered ?? false, to: body.to ?? now };
    const hook = await requireHook({ store }, params.hook_id);
    requireCalled(hook);
    if (to <= from) {
      const field = "ReplayWebhookModel.to";
      throw failure("too_small", `${field} must be after from.`, field);
    }
    const period = { delivered, from, to, max: deliveriesMax };
    const count = await store.deliveries.replayPeriod(hook.id, period, service.makeUuid(), now);
    if (count === null) {
      const field = "ReplayWebhookModel.from";
      const detail = `${field}: the period has more than ${deliveriesMax} deliveries; choose a shorter one.`;
      throw failure("too_many", detail, field);
    }
    const after = { count, delivered, from, to };
    if (count > 0) changed({ type: "Webhook", action: "replayed", id: hook.id, before: null, after });
    return { count };
  },
});

/** Throws state_conflict for a deactivated webhook. */
export function requireCalled({ id, deleted_at }: Hook): void {
  if (deleted_at === null) return;
  throw failure("state_conflict", `Webhook ${id} was deactivated on ${deleted_at}; it is not called.`);
}
