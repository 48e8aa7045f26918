import type { Timestamp } from "../clock.ts";
import { toEpochMs, toTimestamp } from "../clock.ts";
import { defaultVersion } from "../versions/api-versions.ts";
import { isSuccess, type Outgoing, toHookRequest, toHttpStatus, toMessage } from "./deliver.ts";
import type { AttemptOutcome, HookRequest, Sender } from "./send.ts";

/** Whether a receiver keeps one rule. */
export interface RuleVerdict {
  rule: string;
  holds: boolean;
  /** Of the answer that decided; −1 when none came. */
  http_status: number;
  message: string;
}

/** What is certified, and the parts of the world that it takes. */
export interface Certification {
  url: string;
  secret: string;
  now: Timestamp;
  sender: Sender;
  makeUuid(): string;
}

/** Sends pings, good and bad, and judges the answers: what a receiver must take, and what it must refuse. */
export async function certify({ url, secret, now, sender, makeUuid }: Certification): Promise<RuleVerdict[]> {
  const make = (at: Timestamp = now): HookRequest => toHookRequest(toPing(url, secret, makeUuid, at), at, at);
  const later = make();
  const earlier = make(toTimestamp(toEpochMs(now) - 60_000));
  const stale = make(toTimestamp(toEpochMs(now) - 60 * 60_000));
  const takes = async (rule: string, request: HookRequest) =>
    toVerdict(rule, await sender.send(request), true);
  const refuses = async (rule: string, request: HookRequest) =>
    toVerdict(rule, await sender.send(request), false);

  const good = await sender.send(later);
  const quick = toVerdict("answers within 5 s", good, true);
  return [
    toVerdict("takes a delivery with good signatures", good, true),
    good.durationMs <= quickMsMax
      ? quick
      : {
          ...quick,
          holds: false,
          message: `It answered after ${good.durationMs} ms; 15 s are the end of an attempt.`,
        },
    await takes("takes a delivery that comes twice", later),
    await takes("takes an older event after a newer one", earlier),
    await refuses(
      "refuses bad signatures",
      withHeaders(make(), (_, value) => spoil(value)),
    ),
    await refuses("refuses a body that was changed", changeBody(make())),
    await refuses(
      "refuses a delivery without signatures",
      withHeaders(make(), () => null),
    ),
    // x-service-signature tells no time: with it alone an old delivery is as good as a new one.
    await refuses(
      "refuses a timestamp of an hour ago",
      withHeaders(stale, (name, value) => (name === "x-service-signature" ? null : value)),
    ),
  ];
}

const quickMsMax = 5000;

function toPing(url: string, secret: string, makeUuid: () => string, createdOn: Timestamp): Outgoing {
  return {
    tenantId: 1,
    deliveryUuid: makeUuid(),
    event: { uuid: makeUuid(), action: "pinged", createdOn, data: '{"id":1}', kind: "Ping" },
    hook: { apiVersion: defaultVersion, oldSecret: null, oldSecretUntil: null, secret, url },
  };
}

/** The request with its signatures replaced, or left out for null. */
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

/** Another signature of the same form. */
const spoil = (signature: string) =>
  signature.replace(/(?<=^sha1=|^v1,)./, (first) => (first === "0" ? "1" : "0"));

const changeBody = (request: HookRequest): HookRequest => ({
  ...request,
  body: request.body.replace('"tenant_id":1', '"tenant_id":2'),
});

/** A refusal is a status of 4xx: with 5xx a delivery would be tried again for three days. */
function toVerdict(rule: string, outcome: AttemptOutcome, mustTake: boolean): RuleVerdict {
  const status = toHttpStatus(outcome);
  const holds = mustTake ? isSuccess(outcome) : status >= 400 && status < 500;
  if (holds) return { rule, holds, http_status: status, message: `It answered ${status}.` };
  const message =
    mustTake || status === -1 ? toMessage(outcome) : `It answered ${status}; 401 is the way to refuse.`;
  return { rule, holds, http_status: status, message };
}
