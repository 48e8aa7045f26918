import Negotiator from "negotiator";
import { pathOf } from "../core/path-of.ts";
import { type ApiVersion, isApiVersion } from "../models/api-versions.ts";
import type { OpenapiDocument } from "../openapi/document.ts";
import { loadOperations } from "../operations/index.ts";
import { pagePolicy, readBuilt } from "./browser-pages.ts";
import { type HttpAnswer, type HttpRequest, parseQuery } from "./http-messages.ts";
import type { QueuePlace } from "./request-queues.ts";

export type Pause = QueuePlace["pause"];

export interface DocsSite {
  answer(path: string, version: ApiVersion, pause: Pause): Promise<HttpAnswer>;
  answerMissing(version: ApiVersion): Promise<HttpAnswer>;
  /** The file for agents (https://llmstxt.org). */
  llms(): Promise<HttpAnswer>;
}

export function createDocsSite(
  base: string,
  readDocument: (version: ApiVersion) => Promise<OpenapiDocument>,
  toLasting: (answer: HttpAnswer) => HttpAnswer,
): DocsSite {
  const answers = new Map<string, Promise<HttpAnswer>>();
  const missing = new Map<ApiVersion, HttpAnswer>();
  const once = (key: string, write: () => Promise<HttpAnswer>) => {
    const answer = answers.get(key) ?? write();
    answers.set(key, answer);
    const forget = () => answers.delete(key);
    // An unknown address takes no memory. After a fault the next request tries again.
    answer.then(({ status }) => status === 404 && forget(), forget);
    return answer;
  };
  const answerMissing = async (version: ApiVersion) => {
    const { writeMissingPage } = await import("../openapi/docs-pages/site.ts");
    const answer =
      missing.get(version) ?? toLasting(toPage(404, version, writeMissingPage({ base, version })));
    missing.set(version, answer);
    return answer;
  };
  const writeAnswer = async (path: string, version: ApiVersion, pause: Pause) => {
    const { assets, writeIndex, writePage } = await import("../openapi/docs-pages/site.ts");
    if (path === "/assets/docs.js")
      return toLasting(toAnswer(200, "text/javascript; charset=utf-8", await readBuilt("reference.js")));
    const name = /^\/assets\/([\w.]+)$/.exec(path)?.[1] ?? "";
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
    if (asset) return toLasting(toAnswer(200, asset.mediaType, asset.text));
    const document = await readDocument(version);
    await pause();
    const docs = { base, document, operations: await loadOperations(), version };
    if (path === "/assets/index.json")
      return toLasting(toAnswer(200, "application/json", await writeIndex(docs)));
    const text = await writePage(docs, path);
    return text === null ? answerMissing(version) : toLasting(toPage(200, version, text));
  };
  return {
    answerMissing,
    answer: (path, version, pause) => once(`${version}${path}`, () => writeAnswer(path, version, pause)),
    llms: () =>
      once("llms", async () => {
        const { servedLinks, toLlms } = await import("../openapi/docs-pages/llms.ts");
        const text = toLlms(await loadOperations(), servedLinks(base));
        return toLasting(toAnswer(200, "text/plain; charset=utf-8", text));
      }),
  };
}

function toPage(status: number, version: ApiVersion, text: string): HttpAnswer {
  const page = toAnswer(status, "text/html; charset=utf-8", text);
  return { ...page, headers: { ...page.headers, "x-api-version": version } };
}

function toAnswer(status: number, mediaType: string, body: string): HttpAnswer {
  return {
    status,
    headers: {
      "cache-control": "no-cache",
      "content-security-policy": pagePolicy,
      "content-type": mediaType,
      "referrer-policy": "no-referrer",
    },
    body,
  };
}

export function leadToStart({
  base,
  headers: { accept },
  method,
  url,
}: Pick<HttpRequest, "base" | "headers" | "method" | "url">): HttpAnswer | null {
  const path = pathOf(url);
  if (
    (path !== "/" && path !== base && path !== `${base}/`) ||
    !(method === "GET" || method === "HEAD") ||
    accept === undefined
  )
    return null;
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(["application/json", "text/html"]);
  if (best !== "text/html") return null;
  return {
    status: 302,
    headers: { "cache-control": "no-cache", location: `${base}/start`, vary: "Accept" },
    body: "",
  };
}

export function asksForNoVersion({ query }: Pick<HttpRequest, "query">): boolean {
  const { version } = parseQuery(query).values;
  return version !== undefined && !isApiVersion(version);
}

export function pathBelowDocs(path: string): string {
  return path.slice("/docs".length).replace(/\/$/, "");
}

export const docsPaths = ["/docs", "/docs/*"] as const;
