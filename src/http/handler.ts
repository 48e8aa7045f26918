import type { LoginAttempts } from "../core/login-attempts.ts";
import { createPathFinder } from "../core/path-finder.ts";
import { pathOf } from "../core/path-of.ts";
import type { ServeOptions } from "../core/server-factory.ts";
import type { Service } from "../core/service.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { loadOperations } from "../operations/index.ts";
import { type Answering, type Ask, answerRequest, takeTurn, toRoutes } from "./answer.ts";
import { type CacheCounts, createAnswerMemory } from "./answer-memory.ts";
import { CallerKeys } from "./caller-keys.ts";
import { finishAnswer } from "./content-coding.ts";
import { leadToStart } from "./docs.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { createFailAsAsked } from "./faults/fail-as-asked.ts";
import { faultHeader, type HeldRequests } from "./faults/fault.ts";
import { toCommonHeaders, toShownVersion, unknownPathPreflight } from "./headers.ts";
import type { FullAnswer, HttpRequest, IncomingRequest } from "./http-messages.ts";
import { KeysInUse } from "./idempotency-key.ts";
import type { Identify } from "./identify.ts";
import type { MetricsPageOptions } from "./metrics/metrics-page.ts";
import { toServicePages } from "./pages.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Readers } from "./readers/readers.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { type QueuePlace, RequestQueues } from "./request-queues.ts";
import { createStreams, type Streams } from "./streams/streams.ts";

export type Handler = Ask;

export interface HandlerOptions extends Pick<ServeOptions, "answerBytesMax"> {
  identify: Identify;
  attempts?: LoginAttempts;
  rateLimits?: RateLimits;
  readers?: Readers;
  /** Starts with a slash. */
  basePath?: string;
  queues?: RequestQueues;
  cacheCounts?: CacheCounts;
  streams?: Streams;
  readiness?: () => Promise<Readiness>;
  metrics?: MetricsPageOptions;
  /** Sandbox servers only: requests that asked for a fault. */
  held?: HeldRequests;
}

type AnswerPath = (request: HttpRequest, onFault: (error: unknown) => void) => Promise<FullAnswer>;

export async function createHandler(service: Service, options: HandlerOptions): Promise<Handler> {
  const answers = createAnswerMemory(service, options);
  const { attempts, basePath: base = "", held, identify, rateLimits, readers } = options;
  const { queues = new RequestQueues(), streams = createStreams(service) } = options;
  const callers = new CallerKeys();
  const find = await createFinder({
    service,
    answers,
    ask: (incoming, onFault) => handle(incoming, onFault),
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

/** Adds the token's remaining requests to responses. */
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

/** Larger cached responses wait for a place. */
const atOnceBytesMax = 64 * 1024;

/** Sending megabytes takes 1 ms or more, so each such request waits for its turn. */
async function sendInTurn(answer: FullAnswer, place: QueuePlace): Promise<FullAnswer> {
  // The response exists already, so a full queue does not refuse it.
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

export const refuseExpectation: Handler = (request) => {
  const problem = failure(
    "expectation_failed",
    "The server supports no expectation except 100-continue.",
    "expect",
  );
  return answerOutsideRoutes(problem, { ...request, base: "" });
};

function answerOutsideRoutes(problem: DispatchError, request: IncomingRequest & { base: string }) {
  const { headers, id, method } = request;
  const common = toCommonHeaders(id, toShownVersion(headers["x-api-version"], null), "");
  const isPreflight = method === "OPTIONS" && problem.code === "operation_not_found";
  const answer = isPreflight
    ? unknownPathPreflight
    : (leadToStart(request) ?? toErrorAnswer(problem, id, request));
  return finishAnswer({ ...answer, headers: { ...common, ...answer.headers } }, request);
}

async function createFinder(answering: Answering) {
  const pages = [...toServicePages(answering)].map(([path, page]): [string, AnswerPath] => [
    path,
    (request, onFault) => {
      // The first segment only.
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

const rootPaths: readonly string[] = ["/healthz", "/readyz", "/metrics"];

function pathBelow(base: string, url: string): string | null {
  if (base === "") return url;
  if (url.startsWith(base)) {
    const rest = url.slice(base.length);
    if (rest.startsWith("/")) return rest;
    if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  }
  return rootPaths.some((path) => url === path || url.startsWith(`${path}?`)) ? url : null;
}
