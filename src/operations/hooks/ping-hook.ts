import { toEpochMs } from "../../clock.ts";
import { failure } from "../../errors.ts";
import { id } from "../../models/fields.ts";
import { WebhookPingResultModel } from "../../models/hook.ts";
import { defineOperation } from "../../operation.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import type { AttemptOutcome, HookRequest } from "../../webhooks/send.ts";
import { decodeSecret, toServiceSignature, toStandardWebhookHeaders } from "../../webhooks/sign.ts";
import { found } from "../records.ts";

export const pingHook = defineOperation({
  name: "hooks.ping",
  summary: "Call a webhook to see whether it answers",
  method: "GET",
  path: "/hooks/{hook_id}/ping",
  params: { hook_id: id() },
  query: {},
  body: null,
  output: WebhookPingResultModel,
  roles: ["Admin", "Dispatcher"],
  effect: "call",
  emits: ["Ping"],
  cli: { example: "hooks ping 1" },
  async run({ actor, now, service, store, signAnswer }, { params }) {
    const hook = found(await store.hooks.find(params.hook_id), "webhook", params.hook_id);
    if (hook.deleted_at !== null) {
      throw failure(
        "state_conflict",
        `Webhook ${hook.id} was deactivated on ${hook.deleted_at}; it is not called.`,
      );
    }
    const deliveryId = service.makeUuid();
    const sender = await service.sender();
    const outcome = await sender.send(
      toPingRequest(hook, { deliveryId, eventId: service.makeUuid(), now, tenantId: actor.scope.tenantId }),
    );
    await store.hooks.recordAttempt(hook.id, isSuccess(outcome), service.clock.now());
    signAnswer(hook.secret);
    return {
      delivery_id: deliveryId,
      http_status: outcome.kind === "answered" ? outcome.status : -1,
      message: toMessage(outcome),
    };
  },
});

interface PingFacts {
  deliveryId: string;
  eventId: string;
  now: string;
  tenantId: number;
}

/** The delivery of a Ping event (OP-73, OP-74); its data is the webhook's id. */
function toPingRequest(hook: Hook, { deliveryId, eventId, now, tenantId }: PingFacts): HookRequest {
  const body = JSON.stringify({
    action: "pinged",
    api_version: hook.api_version,
    data: { id: hook.id },
    id: eventId,
    tenant_id: tenantId,
    timestamp: now,
    type: "Ping",
  });
  const key = decodeSecret(hook.secret);
  const timestampSeconds = Math.floor(toEpochMs(now) / 1000);
  return {
    url: hook.url,
    body,
    headers: {
      "x-api-version": hook.api_version,
      "x-service-delivery": deliveryId,
      "x-service-event": "Ping",
      "x-service-signature": toServiceSignature(key, body),
      "x-tenant-id": String(tenantId),
      ...toStandardWebhookHeaders({ id: eventId, timestampSeconds, body, keys: [key] }),
    },
  };
}

const isSuccess = (outcome: AttemptOutcome) =>
  outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;

function toMessage(outcome: AttemptOutcome): string {
  if (outcome.kind === "failed") return outcome.message;
  if (isSuccess(outcome)) return "No exceptions raised.";
  return `The callback answered ${outcome.status}; a delivery counts as successful with 200 to 299 only.`;
}
