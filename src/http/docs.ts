import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { pathOf } from "../core/path-of.ts";
import type { Docs } from "../docs-pages/docs.ts";
import { type ApiVersion, isApiVersion, newestVersion } from "../models/api-versions.ts";
import type { OpenapiDocument } from "../openapi/document.ts";
import { loadOperations } from "../operations/index.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpRequest } from "./http-request.ts";
import { parseQuery } from "./query.ts";

/** How many pages are kept as they were written; there are some 300 a version. */
const pagesMax = 200;

/** How many documents are kept as objects, of some megabytes each. */
const documentsMax = 2;

/** The pages of the reference, and the files that they refer to. */
export interface DocsSite {
  /** The page or file at a path below `/docs`, which is empty for the first page. */
  answer(path: string, version: ApiVersion): Promise<HttpAnswer>;
  /** What is said where there is neither, like the pages of a version that there is not. */
  answerMissing(): Promise<HttpAnswer>;
  /** What agents read first (https://llmstxt.org). */
  llms(): Promise<HttpAnswer>;
}

/**
 * Makes the reference of what is served. `readDocument` gives the document at a version as JSON; `toLasting` makes an answer
 * that holds as long as the process runs; `base` stands before every path.
 */
export function createDocsSite(
  base: string,
  readDocument: (version: ApiVersion) => Promise<string>,
  toLasting: (answer: HttpAnswer) => HttpAnswer,
): DocsSite {
  const answers = new LRUCache<string, HttpAnswer>({ max: pagesMax });
  const docs = new LRUCache<ApiVersion, Docs>({ max: documentsMax });
  const readDocs = async (version: ApiVersion) => {
    const known = docs.get(version);
    if (known) return known;
    // It was written by this process from a value of this type.
    const document = JSON.parse(await readDocument(version)) as OpenapiDocument;
    const made = { base, document, operations: await loadOperations(), version };
    docs.set(version, made);
    return made;
  };
  const keep = (key: string, answer: HttpAnswer) => {
    const lasting = toLasting(answer);
    answers.set(key, lasting);
    return lasting;
  };
  const writeAnswer = async (path: string, version: ApiVersion) => {
    const { writePage } = await import("../docs-pages/site.ts");
    const { isFound, text } = await writePage(await readDocs(version), path);
    const page = toAnswer(isFound ? 200 : 404, "text/html; charset=utf-8", text);
    return { ...page, headers: { ...page.headers, "x-api-version": version } };
  };
  return {
    async answer(path, version) {
      const key = `${version}${path}`;
      const known = answers.get(key);
      if (known) return known;
      const { assets } = await import("../docs-pages/site.ts");
      const name = /^\/assets\/([\w.]+)$/.exec(path)?.[1] ?? "";
      const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
      if (asset) return keep(key, toAnswer(200, asset.mediaType, asset.text));
      const answer = await writeAnswer(path, version);
      return answer.status === 200 ? keep(key, answer) : answer;
    },
    answerMissing: () => writeAnswer("/none", newestVersion),
    async llms() {
      const known = answers.get("llms");
      if (known) return known;
      const { servedLinks, toLlms } = await import("../docs-pages/llms.ts");
      const text = toLlms(await loadOperations(), servedLinks(base));
      return keep("llms", toAnswer(200, "text/plain; charset=utf-8", text));
    },
  };
}

/** Nothing of another origin is loaded or asked, no script or style stands in a page, and no page stands in a frame. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((kind) => `${kind} 'none'`),
].join("; ");

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
