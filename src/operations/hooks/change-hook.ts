import type * as z from "zod";
import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import type { Service } from "../../core/service.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { defaultVersion } from "../../models/api-versions.ts";
import { hookEvents, type Subscription } from "../../models/event-kinds.ts";
import { id } from "../../models/fields.ts";
import {
  CreateWebhookModel,
  EnableWebhookModel,
  UpdateWebhookModel,
  WebhookModel,
} from "../../models/hook.ts";
import { isSame } from "../../models/json.ts";
import { hiddenValue } from "../../models/own-headers.ts";
import { allowsPrivateHooks } from "../../store/held-deliveries.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import type { TenantStore } from "../../store/tenant-store.ts";
import { isGuardedLiteral } from "../../webhooks/address-guard.ts";
import { makeSecret } from "../../webhooks/sign.ts";
import { requireHook, requireTenantWide } from "../records.ts";
import { getHook, toHookAnswer } from "./hooks.ts";

export const createHook = defineOperation({
  name: "hooks.create",
  summary: "Create a webhook that is called when records change",
  description:
    "A secret is generated unless you give one. This answer shows it; later only Admins see it. Addresses of private networks are refused unless the server allows them.",
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
      include_cause: body.include_cause ?? false,
      include_previous: body.include_previous ?? false,
      rate_limit: body.rate_limit ?? null,
      secret: body.secret ?? makeSecret((count) => service.randomBytes(count)),
      url: body.url,
    });
    changed({ type: "Webhook", action: "created", id: hook.id, before: null, after: hook });
    return toHookAnswer(actor, hook, { headers, secret: true });
  },
});

export const updateHook = defineOperation({
  name: "hooks.update",
  summary: "Change a webhook: its events, URL, secret, version, headers, or rate limit",
  route: "PATCH /hooks/{hook_id}",
  params: { hook_id: id() },
  body: UpdateWebhookModel,
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getHook },
  async run({ actor, service, store, changed }, { params, body }) {
    const before = await requireHook({ store }, params.hook_id);
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
      // This secret replaces all others; hooks.rotate-secret has an overlap.
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

/** null removes an option. */
function toSentOptions(body: z.output<typeof UpdateWebhookModel>, before: Hook) {
  const { description, headers, include_cause, include_previous, rate_limit } = body;
  return {
    ...(description !== undefined && { description }),
    ...(headers !== undefined && {
      headers: toKeptHeaders(headers ?? {}, before.headers, "UpdateWebhookModel"),
    }),
    ...(include_cause !== undefined && { include_cause }),
    ...(include_previous !== undefined && { include_previous }),
    ...(rate_limit !== undefined && { rate_limit }),
  };
}

export const deleteHook = defineOperation({
  name: "hooks.delete",
  summary: "Deactivate a webhook; it no longer receives events",
  description: "The webhook stays, with deleted_at set, and no longer receives events.",
  route: "DELETE /hooks/{hook_id}",
  params: { hook_id: id() },
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getHook },
  async run({ actor, now, store, changed }, { params }) {
    const hook = await requireHook({ store }, params.hook_id);
    // A second deletion does nothing.
    if (hook.deleted_at !== null) return toHookAnswer(actor, hook);
    const deactivated = { ...hook, deleted_at: now };
    await store.hooks.deactivate(hook.id, now, null);
    await store.dueDeliveries.cancelPending(hook.id, now);
    changed({ type: "Webhook", action: "deleted", id: hook.id, before: hook, after: deactivated });
    return toHookAnswer(actor, deactivated);
  },
});

export const enableHook = defineOperation({
  name: "hooks.enable",
  summary: "Reactivate a webhook, with or without the events that it missed",
  description:
    "The webhook receives events again; backlog decides about deliveries that were pending at the deactivation.",
  route: "POST /hooks/{hook_id}/enable",
  params: { hook_id: id() },
  body: EnableWebhookModel,
  output: WebhookModel,
  allow: ["Admin", "Dispatcher"],
  changes: { record: getHook, writes: "alone" },
  refuses: ["limit_reached"],
  extension: true,
  async run({ actor, now, service, store, changed }, { params, body }) {
    const before = await requireHook({ store }, params.hook_id);
    // A second activation does nothing.
    if (before.deleted_at === null) return toHookAnswer(actor, before);
    await requireHookRoom({ service, store });
    const after = { ...before, deleted_at: null, deleted_reason: null, failing_since: null };
    await store.hooks.enable(after.id);
    // Only deliveries that this deactivation canceled: an earlier enabling gave up the older ones.
    if (body.backlog === "send") await store.deliveries.resume(after.id, before.deleted_at, now);
    changed({ type: "Webhook", action: "enabled", id: after.id, before, after });
    return toHookAnswer(actor, after);
  },
});

/** A kind together with one of its actions is probably a mistake. */
function requireClearEvents(events: readonly Subscription[], model: string): void {
  for (const kind of hookEvents) {
    const action = events.find((event) => event.startsWith(`${kind}:`));
    if (action === undefined || !events.includes(kind)) continue;
    const field = `${model}.events`;
    const detail = `${field}: ${kind} includes every action, also ${action}; leave one of them out.`;
    throw failure("invalid_choice", detail, field);
  }
}

/** A hidden value keeps the stored one. */
function toKeptHeaders(
  sent: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> | null,
  model: string,
): Record<string, string> {
  const entries = Object.entries(sent).map(([name, value]) => {
    if (value !== hiddenValue) return [name, value] as const;
    const kept = before && Object.hasOwn(before, name) ? before[name] : undefined;
    if (kept !== undefined) return [name, kept] as const;
    const field = `${model}.headers`;
    throw failure(
      "invalid_format",
      `${field}: ${name} has no stored value, so ${hiddenValue} cannot keep one.`,
      field,
    );
  });
  return Object.fromEntries(entries);
}

/** A caller who cannot see the headers must not send them to another origin and read them there. */
function requireKnownHeaders(
  { headers: kept, url }: Pick<Hook, "headers" | "url">,
  sent: Pick<z.output<typeof UpdateWebhookModel>, "headers" | "url">,
): void {
  const hasNone = kept !== null && Object.keys(kept).length === 0;
  if (hasNone || !sent.url || new URL(sent.url).origin === new URL(url).origin) return;
  if (sent.headers !== undefined && !Object.values(sent.headers ?? {}).includes(hiddenValue)) return;
  const field = "UpdateWebhookModel.headers";
  const detail = `${field}: their values are only for ${new URL(url).host}; with another address, send each value again, or null for none.`;
  throw failure("missing_value", detail, field);
}

/** Refuses a literal private address. Every delivery checks names later. */
async function requireDeliverable(
  { policy }: Pick<Service, "policy">,
  { metadata }: Pick<TenantStore, "metadata">,
  url: string,
  field: string,
): Promise<void> {
  if (!isGuardedLiteral(new URL(url)) || policy.allowsPrivateHooks) return;
  if (await allowsPrivateHooks(metadata.get)) return;
  const detail = `${field} names an address that is not public; the operator of the store has not allowed private addresses.`;
  throw new DispatchError([{ code: "invalid_format", detail, field, see: { command: "store policy" } }]);
}

/** Throws limit_reached. A tenant has one writer at a time, so two cannot take the last place. */
async function requireHookRoom({ service, store }: Pick<Context, "service" | "store">): Promise<void> {
  const max = service.policy.hooksPerTenantMax;
  if ((await store.hooks.countActive(max)) < max) return;
  throw failure("limit_reached", `The tenant has ${max} active webhooks, which is the limit.`);
}
