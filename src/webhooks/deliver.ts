import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/hook.ts";
import { type Timestamp, toEpochMs } from "../runtime/clock.ts";
import { programVersion } from "../runtime/program-version.ts";
import type { AttemptEntry, DueDelivery } from "../store/queries/deliveries-due.ts";
import { toBody } from "./event-body.ts";
import type { AttemptOutcome, HookRequest, Sender } from "./send.ts";
import { decodeSecret, toServiceSignature, toStandardWebhookHeaders } from "./sign.ts";

/** A delivery's next attempt, ready to be sent. */
export interface PreparedAttempt {
  due: DueDelivery;
  /** Its number, from 1. */
  attempt: number;
  request: HookRequest;
  startedOn: Timestamp;
}

/** An attempt that was made. */
export interface MadeAttempt {
  /** Its number, from 1. */
  attempt: number;
  request: HookRequest;
  startedOn: Timestamp;
  outcome: AttemptOutcome;
}

/** One of a delivery that was claimed. */
export interface SentAttempt extends PreparedAttempt, MadeAttempt {}

/** The parts of a delivery that its request is made of. */
export interface Outgoing {
  tenantId: number;
  deliveryUuid: string;
  event: { uuid: string; action: string; createdOn: Timestamp; data: string; kind: HookEvent };
  hook: {
    apiVersion: ApiVersion;
    oldSecret: string | null;
    oldSecretUntil: Timestamp | null;
    secret: string;
    url: string;
  };
}

/** Prepares the next attempt: the event in the webhook's version, signed for this moment of the machine's. */
export function prepareAttempt(
  due: DueDelivery,
  tenantId: number,
  now: Timestamp,
  machineTime: Timestamp,
): PreparedAttempt {
  const outgoing = { tenantId, deliveryUuid: due.uuid, event: due.event, hook: due.hook };
  return {
    due,
    attempt: due.attempt + 1,
    request: toHookRequest(outgoing, now, machineTime),
    startedOn: now,
  };
}

/** Sends it once. Never rejects: whatever happens is in the outcome. */
export async function sendAttempt(prepared: PreparedAttempt, sender: Sender): Promise<SentAttempt> {
  return { ...prepared, outcome: await sender.send(prepared.request) };
}

/** The request of a delivery (OP-73, OP-74). Event id, delivery id and body are the same in every attempt. */
export function toHookRequest(outgoing: Outgoing, now: Timestamp, machineTime: Timestamp): HookRequest {
  const { tenantId, event, hook } = outgoing;
  return toSignedRequest(outgoing, toBody(event, tenantId, hook.apiVersion), now, machineTime);
}

/** What a request says around its body. */
export interface Envelope extends Omit<Outgoing, "event"> {
  event: Pick<Outgoing["event"], "kind" | "uuid">;
}

/**
 * The request of a body. The timestamp of the Standard Webhooks headers is the attempt's own; while a rotation lasts
 * the old secret signs as well. How long that is says the store's time; the timestamp is the machine's, as receivers
 * compare it with their own clock, which does not follow one that was moved.
 */
export function toSignedRequest(
  { tenantId, deliveryUuid, event, hook }: Envelope,
  body: string,
  now: Timestamp,
  machineTime: Timestamp,
): HookRequest {
  const key = decodeSecret(hook.secret);
  const keys = [key];
  if (hook.oldSecret !== null && hook.oldSecretUntil !== null && hook.oldSecretUntil > now) {
    keys.push(decodeSecret(hook.oldSecret));
  }
  const timestampSeconds = Math.floor(toEpochMs(machineTime) / 1000);
  return {
    url: hook.url,
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": `dispatch-cli/${programVersion}`,
      "x-api-version": hook.apiVersion,
      "x-service-delivery": deliveryUuid,
      "x-service-event": event.kind,
      "x-service-signature": toServiceSignature(key, body),
      "x-tenant-id": String(tenantId),
      ...toStandardWebhookHeaders({ id: event.uuid, timestampSeconds, body, keys }),
    },
  };
}

/** Success is 2xx and nothing else; a redirect is a failure (OP-71, OP-77). */
export function isSuccess(outcome: AttemptOutcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}

/** The status of the answer, −1 when the call did not succeed or complete (interface: WebhookPingResult). */
export function toHttpStatus(outcome: AttemptOutcome): number {
  return outcome.kind === "answered" ? outcome.status : -1;
}

/** What happened in words that a user can act on (OP-79). */
export function toMessage(outcome: AttemptOutcome): string {
  if (outcome.kind === "failed") return outcome.message;
  if (isSuccess(outcome)) return "No exceptions raised.";
  const { status } = outcome;
  if (status === 410) return "The callback answered 410: it wants no more deliveries.";
  if (status >= 300 && status < 400) {
    const target = outcome.headers.location ? ` to ${outcome.headers.location.slice(0, 500)}` : "";
    return `The callback answered ${status}, a redirect${target}; redirects are not followed. Set the webhook's URL to where it should go.`;
  }
  return `The callback answered ${status}; a delivery counts as successful with 200 to 299 only.`;
}

const loggedBytesMax = 16 * 1024;

/** The attempt as the delivery log keeps it, bodies to 16 KiB. */
export function toLogEntry(deliveryId: number, made: MadeAttempt): AttemptEntry {
  const { attempt, request, startedOn, outcome } = made;
  return {
    deliveryId,
    attempt,
    durationMs: outcome.durationMs,
    httpStatus: toHttpStatus(outcome),
    message: toMessage(outcome),
    request: { ...request, body: cut(request.body) },
    response: outcome.kind === "answered" ? { headers: outcome.headers, body: cut(outcome.body) } : null,
    startedOn,
  };
}

/** The first 16 KiB, whole characters only. A NUL, which PostgreSQL cannot keep in text, is shown as its symbol. */
function cut(text: string): string {
  const bytes = Buffer.from(text.replaceAll("\0", "␀"));
  if (bytes.length <= loggedBytesMax) return bytes.toString();
  return new TextDecoder().decode(bytes.subarray(0, loggedBytesMax), { stream: true });
}
