import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { MarkedAnswer } from "../../core/operation-result.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { TriggerWebhookModel, WebhookPingResultModel, WebhookTriggerResultModel } from "../../models/hook.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Trace } from "../../runtime/trace.ts";
import { readHold, toHoldSentence } from "../../store/held-deliveries.ts";
import { toHookTarget } from "../../store/queries/hook-target.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import type { TenantStore } from "../../store/tenant-store.ts";
import { isSuccess, toHttpStatus, toMessage } from "../../webhooks/attempt-outcome.ts";
import { type Outgoing, requireSecret, toHookRequest } from "../../webhooks/hook-request.ts";
import { type SentAttempt, toLogEntry } from "../../webhooks/record-attempts.ts";
import { found, requireTenantWide } from "../records.ts";
import { parseEventRecord, toEventPayload } from "./event-payload.ts";

export const pingHook = defineOperation({
  name: "hooks.ping",
  summary: "Call a webhook to see whether it answers",
  description:
    "A Ping is sent to the webhook's URL, and the answer says what came of it: http_status is -1 when the call did not succeed or complete. The header x-service-signature signs the answer's own body.",
  route: "GET /hooks/{hook_id}/ping",
  params: { hook_id: id() },
  output: WebhookPingResultModel,
  allow: ["Admin", "Dispatcher"],
  changes: { emits: ["Ping"] },
  effect: "call",
  async run(context, { params }) {
    const { actor, now, service, store, trace } = context;
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    requireCalled(hook);
    await requireNotHeld(store);
    const ping = toPing(hook, service, { now, tenantId: actor.scope.tenantId, trace });
    const request = toHookRequest(ping, now, service.machineClock.now());
    const outcome = await (await service.sender()).send(request);
    const sent = { request, startedOn: now, outcome };
    await context.write((tenant) => logPing(tenant, hook, ping, sent, service.clock.now()));
    const answer = {
      delivery_id: ping.deliveryUuid,
      http_status: toHttpStatus(outcome),
      message: toMessage(outcome),
    };
    return new MarkedAnswer(answer, { signingSecret: requireSecret(hook) });
  },
});

/** A Ping of a webhook, whose data is the webhook's id. */
function toPing(
  hook: Hook,
  service: Context["service"],
  { now, tenantId, trace }: { now: Timestamp; tenantId: number; trace: Trace },
): Outgoing {
  return {
    tenantId,
    deliveryUuid: service.makeUuid(),
    event: {
      uuid: service.makeUuid(),
      action: "pinged",
      createdOn: now,
      data: JSON.stringify({ id: hook.id }),
      kind: "Ping",
      previous: null,
      trace,
    },
    hook: toHookTarget(hook),
  };
}

/** Keeps the event, its delivery and its only attempt, so that the answer's delivery_id is found again (OP-79). */
async function logPing(
  tenant: TenantStore,
  hook: Hook,
  { deliveryUuid, event }: Outgoing,
  sent: Omit<SentAttempt, "due">,
  at: Timestamp,
): Promise<void> {
  const { action, createdOn, kind, trace } = event;
  const succeeded = isSuccess(sent.outcome);
  const eventId = await tenant.outbox.keepEvent({
    action,
    created_on: createdOn,
    data: event.data,
    kind,
    previous: null,
    record_id: hook.id,
    trace_id: trace?.id ?? null,
    trace_span: trace?.span ?? null,
    trace_state: trace?.state ?? null,
    uuid: event.uuid,
  });
  const deliveryId = await tenant.deliveries.insertFinished({
    action,
    attempt: 1,
    created_on: createdOn,
    event_id: eventId,
    finished_on: at,
    hook_id: hook.id,
    http_status: toHttpStatus(sent.outcome),
    kind,
    message: toMessage(sent.outcome),
    record_id: hook.id,
    status: succeeded ? "delivered" : "failed",
    uuid: deliveryUuid,
  });
  await tenant.dueDeliveries.addAttempts([toLogEntry(deliveryId, 1, sent)]);
  await tenant.hooks.recordAttempt(hook.id, succeeded, at);
}

export const triggerHook = defineOperation({
  name: "hooks.trigger",
  summary: "Send the delivery that an event of a record would make now; store nothing",
  description:
    "An event that no change made is sent to this webhook alone: of a record as it is now, or of an invented one.",
  route: "POST /hooks/{hook_id}/trigger",
  params: { hook_id: id() },
  body: TriggerWebhookModel,
  output: WebhookTriggerResultModel,
  allow: ["Admin", "Dispatcher"],
  effect: "call",
  extension: true,
  async run({ actor, now, service, store, trace }, { params, body }) {
    requireTenantWide(actor);
    const { record, action } = parseEventRecord(body, "TriggerWebhookModel.");
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    requireCalled(hook);
    await requireNotHeld(store);
    const outgoing: Outgoing = {
      tenantId: actor.scope.tenantId,
      deliveryUuid: service.makeUuid(),
      event: {
        uuid: service.makeUuid(),
        action,
        createdOn: now,
        data: JSON.stringify(await toEventPayload(store, record)),
        kind: record.kind,
        previous: null,
        trace,
      },
      hook: toHookTarget({ ...hook, api_version: body.api_version ?? hook.api_version }),
    };
    const request = toHookRequest(outgoing, now, service.machineClock.now());
    const outcome = await (await service.sender()).send(request);
    return {
      action,
      api_version: outgoing.hook.apiVersion,
      delivery_id: outgoing.deliveryUuid,
      duration_ms: outcome.durationMs,
      event_id: outgoing.event.uuid,
      http_status: toHttpStatus(outcome),
      message: toMessage(outcome),
      record_id: record.id,
      type: record.kind,
      url: hook.url,
    };
  },
});

/** Refuses a deactivated webhook: the service sends nothing to it (OP-78). Throws state_conflict. */
export function requireCalled({ id, deleted_at }: Hook): void {
  if (deleted_at === null) return;
  throw failure("state_conflict", `Webhook ${id} was deactivated on ${deleted_at}; it is not called.`);
}

/** Refuses to call a webhook while the store's deliveries are held (OP-189). Throws state_conflict. */
async function requireNotHeld({ metadata }: Pick<TenantStore, "metadata">): Promise<void> {
  const hold = await readHold(metadata);
  if (hold === null) return;
  const detail = `${toHoldSentence(hold)} Until whoever operates the store lets them go on, nothing is sent.`;
  throw new DispatchError([
    { code: "state_conflict", detail, field: null, see: { command: "hooks resume" } },
  ]);
}
