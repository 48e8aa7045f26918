import { randomUUID } from "node:crypto";
import type { ApiVersion } from "../../../models/api-versions.ts";
import { systemClock } from "../../../runtime/clock.ts";
import { toStoredTrace } from "../../../runtime/trace.ts";
import { toBodyAt } from "../../../webhooks/event-body.ts";
import { toSignedRequest, toUnregisteredTarget } from "../../../webhooks/hook-request.ts";
import type { HookRequest } from "../../../webhooks/send.ts";
import type { ListedEvent } from "./event-log.ts";

export interface OwnReceiver {
  url: string;
  secret: string;
  tenantId: number;
  version: ApiVersion;
}

export interface OwnDelivery {
  uuid: string;
  toRequest(): HookRequest;
}

/** As a registered webhook of that version would receive it. */
export function toOwnDelivery(
  event: ListedEvent,
  { url, secret, tenantId, version }: OwnReceiver,
): OwnDelivery {
  const facts = {
    uuid: event.id,
    action: event.action,
    createdOn: event.created_on,
    kind: event.type,
    trace: toStoredTrace(event),
  };
  const body = toBodyAt(facts, tenantId, version, JSON.stringify(event.data));
  const hook = toUnregisteredTarget(url, secret, version);
  const uuid = randomUUID();
  return {
    uuid,
    toRequest() {
      const now = systemClock.now();
      return toSignedRequest({ tenantId, deliveryUuid: uuid, event: facts, hook }, body, now, now);
    },
  };
}
