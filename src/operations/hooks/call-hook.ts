import type { Context } from "../../core/context.ts";
import { defineOperation, MarkedAnswer } from "../../core/operation.ts";
import { DispatchError } from "../../errors/errors.ts";
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
import { requireHook, requireTenantWide } from "../records.ts";
import { parseEventRecord, toEventPayload } from "./event-payload.ts";
import { requireCalled } from "./hooks.ts";

export const pingHook = defineOperation({
  name: "hooks.ping",
  summary: "Call a webhook to see whether it answers",
  description:
    "Sends a Ping to the webhook's URL and returns the result: http_status is -1 when the call did not succeed or complete. The header x-service-signature signs this answer's body.",
  route: "GET /hooks/{hook_id}/ping",
  params: { hook_id: id() },
  output: WebhookPingResultModel,
  allow: ["Admin", "Dispatcher"],
  changes: { emits: ["Ping"] },
  effect: "call",
  async run(context, { params }) {
    const { actor, now, service, store, trace } = context;
    const hook = await requireHook({ store }, params.hook_id);
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

/** deliveries.get then finds the response's delivery_id. */
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
    cause: null,
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
  summary: "Send the delivery that a change of a record would cause now, without storing anything",
  description:
    "Sends an event without a change to this webhook only: for the current state of a record, or for a sample record.",
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
    const hook = await requireHook({ store }, params.hook_id);
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

async function requireNotHeld({ metadata }: Pick<TenantStore, "metadata">): Promise<void> {
  const hold = await readHold(metadata);
  if (hold === null) return;
  const detail = `${toHoldSentence(hold)} Nothing is sent until the operator of the store resumes them.`;
  throw new DispatchError([
    { code: "state_conflict", detail, field: null, see: { command: "hooks resume" } },
  ]);
}
