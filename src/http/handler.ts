import type { LoginAttempts } from "../auth/login-attempts.ts";
import { createPathFinder } from "../core/path-finder.ts";
import { pathOf } from "../core/path-of.ts";
import type { ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { loadOperations } from "../operations/index.ts";
import { type Answering, answerRequest, type Identify, takeTurn, toRoutes } from "./answer.ts";
import { type CacheCounts, createAnswerMemory } from "./answer-memory.ts";
import { CallerKeys } from "./caller-keys.ts";
import { finishAnswer } from "./content-coding.ts";
import { leadToDocs } from "./docs.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { createFailAsAsked } from "./faults/fail-as-asked.ts";
import { faultHeader, type HeldRequests } from "./faults/fault.ts";
import { toCommonHeaders, toShownVersion, unknownPathPreflight } from "./headers.ts";
import type { FullAnswer } from "./http-answer.ts";
import type { HttpRequest, IncomingRequest } from "./http-request.ts";
import { KeysInUse } from "./idempotency-key.ts";
import type { MetricsPageOptions } from "./metrics/metrics-page.ts";
import { toServicePages } from "./pages.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Readers } from "./readers/readers.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { type Place, RequestQueues } from "./request-queues.ts";
import { createStreams, type Streams } from "./streams/streams.ts";

/** Answers any request. Never throws; faults of our own are handed to `onFault`. */
export type Handler = (
  request: IncomingRequest,
  onFault: (error: unknown) => void,
) => FullAnswer | Promise<FullAnswer>;

export interface HandlerOptions extends Pick<ServeOptions, "answerBytesMax"> {
  identify: Identify;
  attempts?: LoginAttempts;
  /** The same that `identify` counts in. */
  rateLimits?: RateLimits;
  readers?: Readers;
  /** What stands before every path, beginning with a slash; nothing unless given (OP-322). */
  basePath?: string;
  /** Where requests wait for their turn, and counts of the answers that are kept: for who tells of them. */
  queues?: RequestQueues;
  cacheCounts?: CacheCounts;
  /** The streams of events that are open. */
  streams?: Streams;
  /** Made for the store unless given. */
  readiness?: () => Promise<Readiness>;
  /** Answers scrapes. */
  metrics?: MetricsPageOptions;
  /** Requests that ask for it fail: on sandbox servers. */
  held?: HeldRequests;
}

type AnswerPath = (request: HttpRequest, onFault: (error: unknown) => void) => Promise<FullAnswer>;

/** Makes what answers the requests to a service: every operation at its path, and the pages beside the interface. */
export async function createHandler(service: Service, options: HandlerOptions): Promise<Handler> {
  const answers = createAnswerMemory(service, options);
  const { attempts, basePath: base = "", held, identify, rateLimits, readers } = options;
  const { queues = new RequestQueues(), streams = createStreams(service) } = options;
  const callers = new CallerKeys();
  const find = await createFinder({
    service,
    answers,
    base,
    callers,
    identify,
    keysInUse: new KeysInUse(),
    queues,
    readiness: options.readiness ?? createReadiness(service.store),
    streams,
    ...(options.metrics && { metrics: options.metrics }),
    ...(attempts && { attempts }),
    ...(held && { fail: createFailAsAsked(held, takeTurn) }),
    ...(readers && { readers }),
  });
  const answerAnew = async (incoming: IncomingRequest, onFault: (error: unknown) => void) => {
    const url = pathBelow(base, incoming.url);
    if (url === null) return answerOutsideRoutes(notBelow(base, incoming.url), { ...incoming, base });
    const found = find(url);
    if (found instanceof DispatchError) return answerOutsideRoutes(found, { ...incoming, base });
    const path = pathOf(url);
    const query = url.slice(path.length + 1);
    const request = { ...incoming, base, params: found.params, path, query };
    return found.value(request, onFault);
  };
  const handle: Handler = (incoming, onFault) => {
    const kept = held && incoming.headers[faultHeader] !== undefined ? undefined : answers.find(incoming);
    if (!kept) return answerAnew(incoming, onFault);
    const isLarge = !(kept instanceof Promise) && kept.body.length > atOnceBytesMax;
    return isLarge ? sendInTurn(kept, queues.placeFor(callers.keyOf(incoming))) : kept;
  };
  return rateLimits ? tellQuotas(handle, rateLimits) : handle;
}

/** Adds to every answer to a known token what is left to it (OP-177). */
function tellQuotas(handle: Handler, { policy }: RateLimits): Handler {
  return (incoming, onFault) => {
    const { client } = incoming;
    const tell = (answer: FullAnswer): FullAnswer => {
      if (client.quota === undefined) return answer;
      return { ...answer, head: [...answer.head, "ratelimit", client.quota, "ratelimit-policy", policy] };
    };
    const answer = handle(incoming, onFault);
    return answer instanceof Promise ? answer.then(tell) : tell(answer);
  };
}

/** Kept answers are sent at once when they have no more bytes. */
const atOnceBytesMax = 64 * 1024;

/** To send megabytes takes a millisecond and more, so who asks for the same again and again has a place for that. */
async function sendInTurn(answer: FullAnswer, place: Place): Promise<FullAnswer> {
  // It is made already: that too many wait is no reason to refuse it.
  await place.take()?.catch(() => undefined);
  setImmediate(() => place.leave());
  return answer;
}

function notBelow(base: string, url: string): DispatchError {
  return failure(
    "operation_not_found",
    `There is no operation at ${pathOf(url)}: the paths of this server begin with ${base}.`,
  );
}

/** Answers a request that expects anything but 100-continue. */
export const refuseExpectation: Handler = (request) => {
  const problem = failure(
    "expectation_failed",
    "The server meets no expectation but 100-continue.",
    "expect",
  );
  return answerOutsideRoutes(problem, { ...request, base: "" });
};

/** Answers unknown paths and addresses that cannot be read. */
function answerOutsideRoutes(problem: DispatchError, request: IncomingRequest & { base: string }) {
  const { headers, id, method } = request;
  const common = toCommonHeaders(id, toShownVersion(headers["x-api-version"], null), "");
  const isPreflight = method === "OPTIONS" && problem.code === "operation_not_found";
  const answer = isPreflight
    ? unknownPathPreflight
    : (leadToDocs(request) ?? toErrorAnswer(problem, id, request));
  return finishAnswer({ ...answer, headers: { ...common, ...answer.headers } }, request);
}

/** Makes what finds the path of an address; the failure says why there is none. */
async function createFinder(answering: Answering) {
  const pages = [...toServicePages(answering)].map(([path, page]): [string, AnswerPath] => [
    path,
    (request, onFault) => {
      // Without what stands below it.
      request.client.page = path.split("/")[1] ?? "";
      return page(request, onFault);
    },
  ]);
  const routes = toRoutes(await loadOperations()).map((route): [string, AnswerPath] => [
    route.path,
    (request, onFault) => answerRequest(answering, route, request, onFault),
  ]);
  return createPathFinder([...pages, ...routes]);
}

/** They are asked for by who watches the server itself, past the proxy that knows its base path. */
const rootPaths: readonly string[] = ["/healthz", "/readyz", "/metrics"];

/**
 * The address as the server knows it, without the base path that stands before it (OP-322); null for one that is not below
 * it. Pages for monitoring are found at the root too.
 */
function pathBelow(base: string, url: string): string | null {
  if (base === "") return url;
  if (url.startsWith(base)) {
    const rest = url.slice(base.length);
    if (rest.startsWith("/")) return rest;
    if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  }
  return rootPaths.some((path) => url === path || url.startsWith(`${path}?`)) ? url : null;
}
