import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { request as send } from "undici";
import { defaultVersion } from "../models/api-versions.ts";
import { type Clock, type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { type AttemptOutcome, isSuccess, toHttpStatus, toMessage } from "./attempt-outcome.ts";
import { type Outgoing, toHookRequest, toUnregisteredTarget } from "./hook-request.ts";
import type { HookRequest, Sender } from "./send.ts";

export interface RuleVerdict {
  rule: string;
  holds: boolean;
  /** The status of the deciding response; −1 without one. */
  http_status: number;
  duration_ms: number;
  message: string;
}

export interface Certification {
  url: string;
  secret: string;
  /** The machine's clock: receivers compare timestamps with their own. */
  clock: Clock;
  sender: Sender;
  makeUuid(): string;
  /** The receiver may accept `x-service-signature` alone, which has no time. */
  acceptsLegacy: boolean;
}

/** Sends valid and invalid pings, which the receiver must accept or refuse. */
export async function certify(certification: Certification): Promise<RuleVerdict[]> {
  const { clock, sender } = certification;
  const start = clock.now();
  const ping = (at: Timestamp = clock.now()) => toDelivery(certification, at);
  const takes = (rule: string, outcome: AttemptOutcome) => toVerdict(rule, outcome, true);
  const refuses = async (rule: string, request: HookRequest) =>
    toVerdict(rule, await sender.send(request), false);

  const earlier = ping(toTimestamp(toEpochMs(start) - 60_000));
  const later = ping(start);
  const attempts = await sendUntilTaken(later, sender);
  const { last } = attempts;
  return [
    takes("accepts a delivery with valid signatures", last),
    toQuickVerdict(last),
    await judgeRetry(ping(), attempts, sender),
    takes("accepts a repeated delivery", await sender.send(later.request())),
    takes("accepts an older event after a newer one", await sender.send(earlier.request())),
    takes("accepts a delivery with a slow body", await sendInParts(ping().request(), { afterMs: slowMs })),
    await refuses(
      "refuses bad signatures",
      withHeaders(ping().request(), (_, value) => spoil(value)),
    ),
    await refuses("refuses a changed body", changeBody(ping().request())),
    await refuses(
      "refuses a delivery without signatures",
      withHeaders(ping().request(), () => null),
    ),
    ...(certification.acceptsLegacy
      ? []
      : [await refuses("refuses a delivery with only x-service-signature", withoutTime(ping().request()))]),
    // x-service-signature does not cover the time, so a receiver with it alone accepts old deliveries.
    await refuses(
      "refuses a timestamp that is an hour old",
      withHeaders(ping().request(toTimestamp(toEpochMs(start) - 60 * 60_000)), (name, value) =>
        name === "x-service-signature" ? null : value,
      ),
    ),
  ];
}

/** Each attempt has its own signature and time. */
interface PingDelivery {
  request(at?: Timestamp): HookRequest;
}

function toDelivery({ url, secret, clock, makeUuid }: Certification, createdOn: Timestamp): PingDelivery {
  const ping = toPing(url, secret, makeUuid, createdOn);
  return { request: (at = clock.now()) => toHookRequest(ping, at, at) };
}

interface Attempts {
  first: AttemptOutcome;
  last: AttemptOutcome;
  count: number;
}

const attemptsMax = 3;
const againAfterMs = 1000;

async function sendUntilTaken(delivery: PingDelivery, sender: Sender): Promise<Attempts> {
  const first = await sender.send(delivery.request());
  let [last, count] = [first, 1];
  while (hasFailed(last) && count < attemptsMax) {
    await new Promise((resolve) => setTimeout(resolve, againAfterMs));
    last = await sender.send(delivery.request());
    count += 1;
  }
  return { first, last, count };
}

const hasFailed = (outcome: AttemptOutcome) => outcome.kind === "failed" || outcome.status >= 500;

/** Checks the attempt after a failed or aborted one. */
async function judgeRetry(
  another: PingDelivery,
  { first, last, count }: Attempts,
  sender: Sender,
): Promise<RuleVerdict> {
  const rule = "accepts a retry after a failed attempt";
  if (count === 1) {
    await sendInParts(another.request(), "never");
    return toVerdict(rule, await sender.send(another.request()), true);
  }
  const verdict = toVerdict(rule, last, true);
  if (!verdict.holds) return verdict;
  const message = `It answered ${toHttpStatus(first)} first, and ${verdict.http_status} to attempt ${count}.`;
  return { ...verdict, message };
}

function toQuickVerdict(outcome: AttemptOutcome): RuleVerdict {
  const verdict = toVerdict("answers within 5 s", outcome, true);
  if (outcome.durationMs <= quickMsMax) return verdict;
  const message = `It answered after ${outcome.durationMs} ms; an attempt ends after 15 s.`;
  return { ...verdict, holds: false, message };
}

const slowMs = 1000;
const quickMsMax = 5000;

function toPing(url: string, secret: string, makeUuid: () => string, createdOn: Timestamp): Outgoing {
  return {
    tenantId: 1,
    deliveryUuid: makeUuid(),
    event: { uuid: makeUuid(), action: "pinged", createdOn, data: '{"id":1}', kind: "Ping", previous: null },
    hook: toUnregisteredTarget(url, secret, defaultVersion),
  };
}

/** `replace` returns null to remove a header. */
function withHeaders(
  request: HookRequest,
  replace: (name: string, value: string) => string | null,
): HookRequest {
  const headers = Object.entries(request.headers).flatMap(([name, value]) => {
    const replaced = name.endsWith("-signature") ? replace(name, value) : value;
    return replaced === null ? [] : [[name, replaced]];
  });
  return { ...request, headers: Object.fromEntries(headers) };
}

const withoutTime = (request: HookRequest): HookRequest => ({
  ...request,
  headers: Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !name.startsWith("webhook-")),
  ),
});

const spoil = (signature: string) =>
  signature.replace(/(?<=^sha1=|^v1,)./, (first) => (first === "0" ? "1" : "0"));

const changeBody = (request: HookRequest): HookRequest => ({
  ...request,
  body: request.body.replace('"tenant_id":1', '"tenant_id":2'),
});

/** Only 4xx counts as a refusal: after 5xx a server would retry for three days. */
function toVerdict(rule: string, outcome: AttemptOutcome, mustTake: boolean): RuleVerdict {
  const status = toHttpStatus(outcome);
  const holds = mustTake ? isSuccess(outcome) : status >= 400 && status < 500;
  const facts = { rule, holds, http_status: status, duration_ms: outcome.durationMs };
  if (holds) return { ...facts, message: `It answered ${status}.` };
  const message =
    mustTake || status === -1 ? toMessage(outcome) : `It answered ${status}; 401 is the expected refusal.`;
  return { ...facts, message };
}

/** The second half of a body comes late or, as after a lost connection, never. */
type SecondHalf = { afterMs: number } | "never";

async function sendInParts(
  { url, headers, body }: HookRequest,
  secondHalf: SecondHalf,
): Promise<AttemptOutcome> {
  const startedMs = performance.now();
  const duration = () => Math.round(performance.now() - startedMs);
  const bytes = Buffer.from(body);
  try {
    const answer = await send(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(bytes.length) },
      body: Readable.from(toParts(bytes, secondHalf)),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const text = (await answer.body.text()).slice(0, 1000);
    return { kind: "answered", status: answer.statusCode, headers: {}, body: text, durationMs: duration() };
  } catch (error) {
    const reason = error instanceof Error && error.message !== "" ? error.message : String(error);
    return { kind: "failed", reason: "other", message: `No answer: ${reason}.`, durationMs: duration() };
  }
}

const timeoutMs = 15_000;

async function* toParts(bytes: Buffer, secondHalf: SecondHalf) {
  const half = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (secondHalf === "never") {
    // The first half arrives before the connection breaks.
    await pause(100);
    throw new Error("the test closed the connection on purpose");
  }
  await pause(secondHalf.afterMs);
  yield bytes.subarray(half);
}
