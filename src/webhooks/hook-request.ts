import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { programVersion } from "../runtime/program-version.ts";
import { type Trace, toTraceHeaders } from "../runtime/trace.ts";
import type { HookTarget } from "../store/queries/hook-target.ts";
import { secretKeyMissing } from "../store/secrets/vault.ts";
import { toBody } from "./event-body.ts";
import { decodeSecret } from "./secret.ts";
import type { HookRequest } from "./send.ts";
import { toServiceSignature, toStandardWebhookHeaders } from "./sign.ts";

export interface Outgoing {
  tenantId: number;
  deliveryUuid: string;
  event: {
    uuid: string;
    action: string;
    cause?: string | null;
    createdOn: Timestamp;
    data: string;
    kind: HookEvent;
    previous: string | null;
    trace?: Trace | null;
  };
  hook: HookTarget;
  /** A user has asked for the delivery again. */
  isReplay?: boolean;
  /** Has the span of the attempt. */
  ownTrace?: Trace;
}

/** A receiver that is not a registered webhook has one secret. */
export function toUnregisteredTarget(url: string, secret: string, apiVersion: ApiVersion): HookTarget {
  return {
    apiVersion,
    headers: {},
    includesCause: false,
    includesPrevious: false,
    oldSecret: null,
    oldSecretUntil: null,
    secret,
    url,
  };
}

/** The event id, the delivery id, and the body are the same in every attempt. */
export function toHookRequest(outgoing: Outgoing, now: Timestamp, machineTime: Timestamp): HookRequest {
  const { tenantId, event, hook } = outgoing;
  return toSignedRequest(outgoing, toBody(event, tenantId, hook), now, machineTime);
}

interface Envelope extends Omit<Outgoing, "event"> {
  event: Pick<Outgoing["event"], "kind" | "trace" | "uuid">;
}

/** During a rotation signs with both secrets. The timestamp is the machine's time, not a sandbox's. */
export function toSignedRequest(
  { tenantId, deliveryUuid, event, hook, isReplay = false, ownTrace }: Envelope,
  body: string,
  now: Timestamp,
  machineTime: Timestamp,
): HookRequest {
  const ownHeaders = requireHeaders(hook);
  const key = decodeSecret(requireSecret(hook));
  const keys = [key];
  if (hook.oldSecret !== null && hook.oldSecretUntil !== null && hook.oldSecretUntil > now) {
    keys.push(decodeSecret(hook.oldSecret));
  }
  const trace = ownTrace ?? event.trace;
  const timestampSeconds = Math.floor(toEpochMs(machineTime) / 1000);
  return {
    url: hook.url,
    body,
    hiddenHeaders: Object.keys(ownHeaders),
    headers: {
      ...ownHeaders,
      "content-type": "application/json",
      "user-agent": `dispatch-cli/${programVersion}`,
      "x-api-version": hook.apiVersion,
      "x-service-delivery": deliveryUuid,
      "x-service-event": event.kind,
      ...(trace && toTraceHeaders(trace, ownTrace?.span?.slice(0, 16))),
      ...(isReplay && { "x-service-replay": "true" }),
      "x-service-signature": toServiceSignature(key, body),
      "x-tenant-id": String(tenantId),
      ...toStandardWebhookHeaders({ id: event.uuid, timestampSeconds, body, keys }),
    },
  };
}

export function requireSecret({ secret }: { secret: string | null }): string {
  if (secret === null) throw secretKeyMissing();
  return secret;
}

function requireHeaders<Headers>({ headers }: { headers: Headers | null }): Headers {
  if (headers === null) throw secretKeyMissing();
  return headers;
}
