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

/** The parts of a delivery that its request is made of. */
export interface Outgoing {
  tenantId: number;
  deliveryUuid: string;
  event: {
    uuid: string;
    action: string;
    createdOn: Timestamp;
    data: string;
    kind: HookEvent;
    previous: string | null;
    /** Of the request that made it; null or missing where none did. */
    trace?: Trace | null;
  };
  hook: HookTarget;
  /** It was asked for once more. */
  isReplay?: boolean;
  /** With the span of the attempt, where one is made. */
  ownTrace?: Trace;
}

/** What signing for a receiver takes that is no registered webhook: it has one secret, and none that is replaced. */
export function toUnregisteredTarget(url: string, secret: string, apiVersion: ApiVersion): HookTarget {
  return {
    apiVersion,
    headers: {},
    includesPrevious: false,
    oldSecret: null,
    oldSecretUntil: null,
    secret,
    url,
  };
}

/** The request of a delivery. Event id, delivery id and body are the same in every attempt. */
export function toHookRequest(outgoing: Outgoing, now: Timestamp, machineTime: Timestamp): HookRequest {
  const { tenantId, event, hook } = outgoing;
  return toSignedRequest(outgoing, toBody(event, tenantId, hook), now, machineTime);
}

/** What a request says around its body. */
interface Envelope extends Omit<Outgoing, "event"> {
  event: Pick<Outgoing["event"], "kind" | "trace" | "uuid">;
}

/**
 * The request of a body that is written already. While a rotation lasts, the old secret signs as well. Two clocks are at
 * work: the store's time (`now`) says whether the rotation still lasts, and the machine's time goes into the Standard
 * Webhooks timestamp, because receivers compare that with their own clock, which does not follow one that was moved.
 */
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

/** The secret of a webhook, to sign with. Throws secret_key_missing when it cannot be opened here. */
export function requireSecret({ secret }: { secret: string | null }): string {
  if (secret === null) throw secretKeyMissing();
  return secret;
}

/** The own headers of a webhook, to send. Throws secret_key_missing when they cannot be opened here. */
function requireHeaders<Headers>({ headers }: { headers: Headers | null }): Headers {
  if (headers === null) throw secretKeyMissing();
  return headers;
}
