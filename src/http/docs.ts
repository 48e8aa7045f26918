import Negotiator from "negotiator";
import { pathOf } from "../core/path-of.ts";
import { type ApiVersion, isApiVersion } from "../models/api-versions.ts";
import type { OpenapiDocument } from "../openapi/document.ts";
import { loadOperations } from "../operations/index.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpRequest } from "./http-request.ts";
import { parseQuery } from "./query.ts";
import type { Place } from "./request-queues.ts";

/** Lets the server answer other requests before a page does work that takes milliseconds. */
export type Pause = Place["pause"];

/** The pages of the reference, and the files that they refer to. */
export interface DocsSite {
  /** The page or file at a path below `/docs`, which is empty for the first page. */
  answer(path: string, version: ApiVersion, pause: Pause): Promise<HttpAnswer>;
  /** The answer where there is neither, and for a version that does not exist. */
  answerMissing(version: ApiVersion): Promise<HttpAnswer>;
  /** What agents read first (https://llmstxt.org). */
  llms(): Promise<HttpAnswer>;
}

/**
 * Makes the reference of what is served. The site writes each page once and keeps it: all pages of all versions take 15 MB.
 * `readDocument` gives the document at a version; `toLasting` makes an answer that holds as long as the process runs; `base`
 * stands before every path.
 */
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
    // A strange address takes no memory. After a fault the next request tries again.
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
    const { assets, writePage } = await import("../openapi/docs-pages/site.ts");
    const name = /^\/assets\/([\w.]+)$/.exec(path)?.[1] ?? "";
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
    if (asset) return toLasting(toAnswer(200, asset.mediaType, asset.text));
    const document = await readDocument(version);
    await pause();
    const text = await writePage({ base, document, operations: await loadOperations(), version }, path);
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

/** Nothing of another origin is loaded or asked, no script or style stands in a page, and no page stands in a frame. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((kind) => `${kind} 'none'`),
].join("; ");

function toPage(status: number, version: ApiVersion, text: string): HttpAnswer {
  const page = toAnswer(status, "text/html; charset=utf-8", text);
  return { ...page, headers: { ...page.headers, "x-api-version": version } };
}

function toAnswer(status: number, mediaType: string, body: string): HttpAnswer {
  return {
    status,
    headers: {
      "cache-control": "no-cache",
      "content-security-policy": policy,
      "content-type": mediaType,
      "referrer-policy": "no-referrer",
    },
    body,
  };
}

/** Leads who reads HTML from the root, where programs find no operation, to the reference; null for all others. */
export function leadToDocs({
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
    headers: { "cache-control": "no-cache", location: `${base}/docs`, vary: "Accept" },
    body: "",
  };
}

/** Whether the address asks for a version that there is not. */
export function asksForNoVersion({ query }: Pick<HttpRequest, "query">): boolean {
  const { version } = parseQuery(query).values;
  return version !== undefined && !isApiVersion(version);
}

/** The path below `/docs`, without the slash at its end. */
export function pathBelowDocs(path: string): string {
  return path.slice("/docs".length).replace(/\/$/, "");
}

/** What the links of pages lead to. */
export const docsPaths = ["/docs", "/docs/*"] as const;
