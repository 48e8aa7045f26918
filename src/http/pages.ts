import { DispatchError, failure } from "../errors/errors.ts";
import { type Answering, takeTurn } from "./answer.ts";
import { createBrowserPages } from "./browser-pages.ts";
import { finishAnswer } from "./content-coding.ts";
import { asksForNoVersion, createDocsSite, docsPaths, pathBelowDocs } from "./docs.ts";
import { toErrorAnswer } from "./error-answer.ts";
import { preflightAnswer, toCommonHeaders, toShownVersion } from "./headers.ts";
import type { FullAnswer, HttpAnswer } from "./http-answer.ts";
import type { HttpRequest } from "./http-request.ts";
import { createMetricsPage, metricsPath } from "./metrics/metrics-page.ts";
import { createDocuments, parseDocumentVersion } from "./openapi-page.ts";
import type { Readiness } from "./readiness.ts";
import { createStreamPage, streamPath } from "./stream-page.ts";
import { type TaggedAnswer, tagAnswer } from "./tagged-answer.ts";

/** A page beside the interface: what it answers to GET. */
type Page = (request: HttpRequest, onFault: (error: unknown) => void) => Promise<HttpAnswer>;

/** The pages beside the interface, by path. Monitoring reads some, clients that look for the interface read others. */
export function toServicePages(answering: Answering): ReadonlyMap<string, Page> {
  const { identify, metrics, readiness } = answering;
  const documents = createDocuments();
  const site = createDocsSite(
    answering.base,
    async (version) => String((await documents.read(version)).body),
    toLasting,
  );
  const docsPage: Page = async (request) =>
    asksForNoVersion(request)
      ? site.answerMissing()
      : site.answer(pathBelowDocs(request.path), parseDocumentVersion(request));
  return new Map<string, Page>([
    ["/healthz", async () => toPage(200, { status: "up" })],
    ["/readyz", async () => toReadyPage(await readiness())],
    ["/openapi.json", async (request) => toLasting(await documents.find(request))],
    // To make the text takes milliseconds: it waits with the other requests of its address.
    ...(metrics ? [[metricsPath, inTurn(answering, createMetricsPage(metrics))] as const] : []),
    ["/llms.txt", () => site.llms()],
    [streamPath, inTurn(answering, createStreamPage(answering))],
    ...docsPaths.map((path): [string, Page] => [path, docsPage]),
    ...[...createBrowserPages(answering.base, toLasting)].map(([path, answer]): [string, Page] => [
      path,
      (request) => answer(request.path),
    ]),
    // `whoami` asks this, because a token by itself does not say whose it is.
    [
      "/whoami",
      inTurn(answering, async (request) => {
        const { actor, token } = await identify(request, {});
        const { roles, user } = await actor();
        return toPage(200, {
          roles,
          token_expires_on: token?.expires_on ?? null,
          token_id: token?.id ?? null,
          user: user.username,
        });
      }),
    ],
  ]);
}

/** A page that asks the store: it waits with the other requests of its caller. */
function inTurn({ callers, queues }: Pick<Answering, "callers" | "queues">, page: Page): Page {
  return async (request, onFault) => {
    const place = queues.placeFor(callers.keyOf(request));
    try {
      await takeTurn(place, request);
      return await page(request, onFault);
    } finally {
      place.leave();
    }
  };
}

/** Answers a request to a page, with the headers that every answer has (OP-17, OP-18). Never throws. */
export async function answerPage(
  page: Page,
  request: HttpRequest,
  onFault: (error: unknown) => void,
): Promise<FullAnswer> {
  const common = toCommonHeaders(request.id, toShownVersion(request.headers["x-api-version"], null), "GET");
  const answer = await answerMethod(page, request, onFault).catch((error: unknown) => {
    if (!(error instanceof DispatchError)) onFault(error);
    return toErrorAnswer(error, request.id, request);
  });
  const known = lasting.get(answer);
  if (!known) return finishAnswer({ ...answer, headers: { ...common, ...answer.headers } }, request);
  const { "x-api-version": version = common["x-api-version"] ?? "" } = answer.headers;
  const ready =
    known.get(version) ?? tagAnswer(answer, { ...common, "x-api-version": version }, () => undefined);
  known.set(version, ready);
  return ready.for(request);
}

/** Answers that are given again, by the version that their headers show: each is tagged, and coded, once. */
const lasting = new WeakMap<HttpAnswer, Map<string, TaggedAnswer>>();

function toLasting(answer: HttpAnswer): HttpAnswer {
  if (!lasting.has(answer)) lasting.set(answer, new Map());
  return answer;
}

async function answerMethod(
  page: Page,
  request: HttpRequest,
  onFault: (error: unknown) => void,
): Promise<HttpAnswer> {
  const { method, path } = request;
  if (method === "OPTIONS") return preflightAnswer;
  if (method === "GET" || method === "HEAD") return page(request, onFault);
  throw failure("method_not_allowed", `${path} takes GET, not ${method}.`);
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
