import { parseTexts } from "../core/call-operation.ts";
import type { Service } from "../core/service.ts";
import { failure, throwIfAny } from "../errors/errors.ts";
import { type ApiVersion, newestVersion } from "../models/api-versions.ts";
import { type StreamFilters, streamFilters } from "../models/event.ts";
import { parseSubscription, type Subscription } from "../models/event-kinds.ts";
import { requireTenantWide } from "../operations/records.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import { toKnownCaller } from "./answer-memory.ts";
import type { CallerKeys } from "./caller-keys.ts";
import { checkAccept, parseVersion } from "./headers.ts";
import { type HttpAnswer, type HttpRequest, parseQuery } from "./http-messages.ts";
import type { Identify } from "./identify.ts";
import type { RequestQueues } from "./request-queues.ts";
import type { Shown } from "./streams/event-stream.ts";
import type { Streams } from "./streams/streams.ts";

export const streamPath = "/stream";
const streamName = "stream";

/** Comes before the first event of an empty log. */
const beginning = "00000000-0000-0000-0000-000000000000";

interface Streaming {
  service: Service;
  callers: CallerKeys;
  identify: Identify;
  queues: RequestQueues;
  streams: Streams;
}

/** All checks come before the head. */
export function createStreamPage({ callers, identify, queues, service, streams }: Streaming) {
  return async (request: HttpRequest, onFault: (error: unknown) => void): Promise<HttpAnswer> => {
    const { headers } = request;
    const { actor: findActor, again, token } = await identify(request, { allow: "anyRole" });
    const actor = await findActor();
    callers.learn(request, actor.scope.tenantId);
    const { "x-api-version": asked } = headers;
    // Unlike calls, a stream defaults to the newest version, as webhooks do.
    const version = parseVersion(asked, token?.api_version ?? newestVersion);
    request.client.caller = toKnownCaller({ actor, operation: streamName, version });
    checkAccept(headers.accept, ["text/event-stream"]);
    const shown = parseShown(request, service.clock.now(), version);
    if (shown.includesCause || shown.includesPrevious) requireTenantWide(actor);
    const lastEventId = parseLastEventId(headers["last-event-id"]);
    const { head: end, missedId, place } = await findPlace(service, actor.scope.tenantId, lastEventId);
    const head: HttpAnswer = {
      status: 200,
      headers: {
        "cache-control": "no-cache",
        "content-type": "text/event-stream",
        "x-accel-buffering": "no",
        "x-api-version": version,
      },
      body: "",
    };
    if (request.method === "HEAD") return head;
    request.client.isStream = true;
    const turn = queues.placeFor(callers.keyOf(request));
    const holder = { tenantId: actor.scope.tenantId, tokenId: token?.id ?? null };
    const options = {
      service,
      head: end,
      again,
      missedId,
      onFault,
      place,
      requestId: request.id,
      shown,
      turn,
    };
    return { ...head, stream: streams.open(holder, options) };
  };
}

/** Throws a violation for each wrong parameter. */
function parseShown({ query }: Pick<HttpRequest, "query">, now: Timestamp, apiVersion: ApiVersion): Shown {
  const { values, violations } = parseQuery(query);
  const parsed = parseTexts(streamFilters, values, now);
  throwIfAny([...violations, ...parsed.violations]);
  const { events, include_cause, include_previous } = parsed.value as StreamFilters;
  const wanted = events?.split(",").map((name) => parseSubscription(name as Subscription)) ?? null;
  return {
    apiVersion,
    includesCause: include_cause === true,
    includesPrevious: include_previous === true,
    wants: (kind, action) =>
      wanted === null || wanted.some((one) => one.kind === kind && (one.action ?? action) === action),
  };
}

/** Throws invalid_header. */
function parseLastEventId(header: string | undefined): string | null {
  if (header === undefined || header === "") return null;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(header)) return header.toLowerCase();
  throw failure(
    "invalid_header",
    "last-event-id must be the id of an event of the stream, a UUID. Leave it out to start with new events.",
    "last-event-id",
  );
}

/** The client's last event: the named one if the log has it, else the newest. */
async function findPlace({ store }: Service, tenantId: number, lastEventId: string | null) {
  return store.read({ tenantId, rowScopes: wholeTenant }, async ({ events }) => {
    const newest = await events.newest();
    const head = newest?.id ?? 0;
    const atEnd = { head, missedId: null, place: { number: head, uuid: newest?.uuid ?? beginning } };
    if (lastEventId === null) return atEnd;
    const number = lastEventId === beginning ? 0 : await events.numberOf(lastEventId);
    if (number === undefined) return { ...atEnd, missedId: lastEventId };
    return { head, missedId: null, place: { number, uuid: lastEventId } };
  });
}
