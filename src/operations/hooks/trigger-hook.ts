import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { TriggerWebhookModel, WebhookTriggerResultModel } from "../../models/hook.ts";
import { toHookTarget } from "../../store/queries/hook-target.ts";
import { toHttpStatus, toMessage } from "../../webhooks/attempt-outcome.ts";
import { type Outgoing, toHookRequest } from "../../webhooks/hook-request.ts";
import { found, requireTenantWide } from "../records.ts";
import { parseEventRecord, toEventPayload } from "./event-payload.ts";
import { requireCalled } from "./require-called.ts";
import { requireNotHeld } from "./require-not-held.ts";

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
