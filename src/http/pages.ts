import type * as z from "zod";
import { callOperation } from "../core/call-operation.ts";
import { DispatchError, failure } from "../errors/errors.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { TokenModel } from "../models/user.ts";
import { exchangeLink } from "../operations/create-token.ts";
import { type Answering, takeTurn } from "./answer.ts";
import { createBrowserPages } from "./browser-pages.ts";
import { finishAnswer } from "./content-coding.ts";
import { asksForNoVersion, createDocsSite, docsPaths, type Pause, pathBelowDocs } from "./docs.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { preflightAnswer, toCommonHeaders, toShownVersion, withoutCrossOrigin } from "./headers.ts";
import { type FullAnswer, type HttpAnswer, type HttpRequest, traceOf } from "./http-messages.ts";
import { createMcpPage, mcpPaths } from "./mcp-page.ts";
import { createMetricsPage, metricsPath } from "./metrics/metrics-page.ts";
import { createDocuments, parseDocumentVersion } from "./openapi-page.ts";
import type { Readiness } from "./readiness.ts";
import type { QueuePlace } from "./request-queues.ts";
import { createStreamPage, streamPath } from "./stream-page.ts";
import { type TaggedAnswer, tagAnswer } from "./tagged-answer.ts";

type Page = (request: HttpRequest, onFault: (error: unknown) => void, pause: Pause) => Promise<HttpAnswer>;

/** Never throws: our own faults go to `onFault`. */
type AnswerPage = (request: HttpRequest, onFault: (error: unknown) => void) => Promise<FullAnswer>;

/** Public pages use the queue of their caller. Health checks never wait. */
export function toServicePages(answering: Answering): ReadonlyMap<string, AnswerPage> {
  const { callers, queues, readiness } = answering;
  const atOnce: [string, Page][] = [
    ["/healthz", async () => toPage(200, { status: "up" })],
    ["/readyz", async () => toReadyPage(await readiness())],
  ];
  return new Map<string, AnswerPage>([
    ...atOnce.map(([path, page]): [string, AnswerPage] => [
      path,
      (request, onFault) => answerPage(page, request, onFault),
    ]),
    ...toWaitingPages(answering).map(([path, page]): [string, AnswerPage] => [
      path,
      (request, onFault) =>
        answerPage(page, request, onFault, {
          isForOtherOrigins: path !== metricsPath && !postPaths.has(path),
          method: postPaths.has(path) ? "POST" : "GET",
          // The requests within a call to /mcp take places of their own.
          ...(!mcpPaths.includes(path) && { place: queues.placeFor(callers.keyOf(request)) }),
        }),
    ]),
  ]);
}

const signInPath = "/sign-in";

/** Their answers are not for pages of other origins. */
const postPaths: ReadonlySet<string> = new Set([signInPath, ...mcpPaths]);

function toWaitingPages(answering: Answering): [string, Page][] {
  const { base, identify, metrics } = answering;
  const documents = createDocuments();
  const site = createDocsSite(base, documents.read, toLasting);
  const docsPage: Page = async (request, _, pause) =>
    asksForNoVersion(request)
      ? site.answerMissing(newestVersion)
      : site.answer(pathBelowDocs(request.path), parseDocumentVersion(request), pause);
  return [
    ["/openapi.json", async (request, _, pause) => toLasting(await documents.find(request, pause))],
    ...(metrics ? [[metricsPath, createMetricsPage(metrics)] satisfies [string, Page]] : []),
    ["/llms.txt", () => site.llms()],
    [streamPath, createStreamPage(answering)],
    [signInPath, createSignInPage(answering)],
    ...mcpPaths.map((path): [string, Page] => [path, createMcpPage(answering)]),
    ...docsPaths.map((path): [string, Page] => [path, docsPage]),
    ...[...createBrowserPages(base, toLasting)].map(([path, answer]): [string, Page] => [
      path,
      (request) => answer(request.path),
    ]),
    // `whoami` uses it, because a token alone does not name its tenant.
    [
      "/whoami",
      async (request) => {
        const { actor, token } = await identify(request, { allow: "anyRole" });
        const { frozenReason, roles, user } = await actor();
        return toPage(200, {
          driver_id: user.driver_id,
          frozen_reason: frozenReason,
          roles,
          token_expires_on: token?.expires_on ?? null,
          token_id: token?.id ?? null,
          user: user.username,
        });
      },
    ],
  ];
}

interface PageOptions {
  /** Default: true. */
  isForOtherOrigins?: boolean;
  /** Default: GET. */
  method?: "GET" | "POST";
  place?: QueuePlace;
}

/** Adds the common headers. Never throws. */
export async function answerPage(
  page: Page,
  request: HttpRequest,
  onFault: (error: unknown) => void,
  { isForOtherOrigins = true, method = "GET", place }: PageOptions = {},
): Promise<FullAnswer> {
  const version = toShownVersion(request.headers["x-api-version"], null);
  const all = toCommonHeaders(request.id, version, method);
  const common = isForOtherOrigins ? all : withoutCrossOrigin(all);
  try {
    if (place) await takeTurn(place, request);
    const answer = await answerMethod(page, request, onFault, () => place?.pause(), method);
    return await finishPage(answer, common, request);
  } catch (error) {
    if (!(error instanceof DispatchError)) onFault(error);
    const answer = toErrorAnswer(error, request.id, request);
    return finishAnswer({ ...answer, headers: { ...common, ...answer.headers } }, request);
  } finally {
    // Sending the response takes time too.
    if (place) setImmediate(place.leave);
  }
}

function finishPage(answer: HttpAnswer, common: Record<string, string>, request: HttpRequest) {
  const known = lasting.get(answer);
  if (!known) return finishAnswer({ ...answer, headers: { ...common, ...answer.headers } }, request);
  const { "x-api-version": version = common["x-api-version"] ?? "" } = answer.headers;
  const ready = known.get(version) ?? tagLasting(answer, { ...common, "x-api-version": version });
  known.set(version, ready);
  return ready.for(request);
}

/** Encodes the body once: otherwise each response would encode it again and keep a copy. */
const tagLasting = (answer: HttpAnswer, common: Record<string, string>) =>
  tagAnswer({ ...answer, body: Buffer.from(answer.body) }, common, () => undefined);

/** Tagged and compressed once for each version. */
const lasting = new WeakMap<HttpAnswer, Map<string, TaggedAnswer>>();

function toLasting(answer: HttpAnswer): HttpAnswer {
  if (!lasting.has(answer)) lasting.set(answer, new Map());
  return answer;
}

async function answerMethod(
  page: Page,
  request: HttpRequest,
  onFault: (error: unknown) => void,
  pause: Pause,
  allowed: "GET" | "POST",
): Promise<HttpAnswer> {
  const { method, path } = request;
  if (method === "OPTIONS") return preflightAnswer;
  if (method === allowed || (method === "HEAD" && allowed === "GET")) return page(request, onFault, pause);
  throw failure("method_not_allowed", `${path} takes ${allowed}, not ${method}.`);
}

const json = { "content-type": "application/json" };

const toPage = (status: number, value: object): HttpAnswer => ({
  status,
  headers: json,
  body: JSON.stringify(value),
});

function toReadyPage(readiness: Readiness): HttpAnswer {
  if (readiness.isReady)
    return toPage(200, { oldest_pending_delivery: readiness.oldestPendingDelivery, status: "ready" });
  const page = toPage(503, { check: readiness.check, reason: readiness.reason, status: "not ready" });
  return { ...page, headers: { ...page.headers, "retry-after": "1" } };
}

/** The link is in the authorization header, so that logs mask it and the limit of failed logins counts it. */
function createSignInPage({ identify, service }: Pick<Answering, "identify" | "service">) {
  return async (request: HttpRequest): Promise<HttpAnswer> => {
    const { actor } = await identify(request, { allow: "token" }, "link");
    const called = await callOperation(service, exchangeLink, {
      actor: await actor(),
      body: async () => undefined,
      params: {},
      query: {},
      queryViolations: [],
      requestId: request.id,
      trace: traceOf(request),
      version: newestVersion,
    });
    // The operation's own model has checked it.
    const { expires_on, id, roles, token, username } = called.value as z.output<typeof TokenModel>;
    return {
      status: 200,
      headers: { "cache-control": "no-store", "content-type": "application/json" },
      body: JSON.stringify({ roles, token, token_expires_on: expires_on, token_id: id, user: username }),
    };
  };
}
