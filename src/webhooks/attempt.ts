import { hiddenValue } from "../models/own-headers.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Trace } from "../runtime/trace.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { AttemptEntry } from "../store/queries/delivery-attempts.ts";
import { type AttemptOutcome, toHttpStatus, toMessage } from "./attempt-outcome.ts";
import { toHookRequest } from "./hook-request.ts";
import type { HookRequest, Sender } from "./send.ts";

/** A delivery's next attempt, ready to be sent. */
export interface PreparedAttempt {
  due: DueDelivery;
  /** Its number, from 1. */
  attempt: number;
  request: HookRequest;
  startedOn: Timestamp;
}

/** An attempt that was made. */
export interface MadeAttempt extends Omit<PreparedAttempt, "due"> {
  outcome: AttemptOutcome;
}

/** One of a delivery that was claimed. */
export interface SentAttempt extends PreparedAttempt, MadeAttempt {}

/** Prepares the next attempt: the event in the webhook's version, signed for this moment of the machine's; its own span is in `ownTrace`. */
export function prepareAttempt(
  due: DueDelivery,
  tenantId: number,
  now: Timestamp,
  machineTime: Timestamp,
  ownTrace?: Trace,
): PreparedAttempt {
  const { event, hook, isReplay, uuid: deliveryUuid } = due;
  const outgoing = { tenantId, deliveryUuid, event, hook, isReplay, ...(ownTrace && { ownTrace }) };
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

/** The attempt of a request that could not even be made: nothing was sent. */
export function toUnpreparedAttempt(due: DueDelivery, startedOn: Timestamp, error: unknown): SentAttempt {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The request could not be made: ${reason}`;
  return {
    due,
    attempt: due.attempt + 1,
    request: { url: due.hook.url, headers: {}, body: "" },
    startedOn,
    outcome: { kind: "failed", reason: "other", message, durationMs: 0 },
  };
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
    request: { url: request.url, headers: toShownHeaders(request), body: cut(request.body) },
    response: outcome.kind === "answered" ? { headers: outcome.headers, body: cut(outcome.body) } : null,
    startedOn,
  };
}

/** The values of a webhook's own headers are secret (OP-289). */
function toShownHeaders({ headers, hiddenHeaders = [] }: HookRequest): Record<string, string> {
  return { ...headers, ...Object.fromEntries(hiddenHeaders.map((name) => [name, hiddenValue])) };
}

/** The first 16 KiB, whole characters only. A NUL, which PostgreSQL cannot keep in text, is shown as its symbol. */
function cut(text: string): string {
  const shown = text.includes("\0") ? text.replaceAll("\0", "␀") : text;
  if (shown.length * utf8BytesMax <= loggedBytesMax) return shown;
  const bytes = Buffer.from(shown);
  if (bytes.length <= loggedBytesMax) return shown;
  return new TextDecoder().decode(bytes.subarray(0, loggedBytesMax), { stream: true });
}

/** Bytes that a UTF-16 unit takes in UTF-8. */
const utf8BytesMax = 3;
