import { setImmediate } from "node:timers/promises";
import { failure, throwIfAny } from "../errors/errors.ts";
import { type ApiVersion, isApiVersion, newestVersion } from "../models/api-versions.ts";
import type { OpenapiDocument } from "../openapi/document.ts";
import { loadOperations } from "../operations/index.ts";
import type { Pause } from "./docs.ts";
import { isHost } from "./find-client.ts";
import { type HttpAnswer, type HttpRequest, parseQuery } from "./http-messages.ts";

export interface Documents {
  find(request: HttpRequest, pause: Pause): Promise<HttpAnswer>;
  /** The server of this document is "/". */
  read(version: ApiVersion): Promise<OpenapiDocument>;
}

/** The document's server is the address that the client used. Equal requests get the same object. */
export function createDocuments(): Documents {
  const documents = new Map<ApiVersion, Promise<OpenapiDocument>>();
  const answers = new Map<string, HttpAnswer>();
  const read = (version: ApiVersion) => {
    const known = documents.get(version) ?? makeDocument(version);
    documents.set(version, known);
    // The next request tries again.
    known.catch(() => documents.delete(version));
    return known;
  };
  const find = async (request: HttpRequest, pause: Pause) => {
    const version = parseDocumentVersion(request);
    const document = await read(version);
    const { atServer } = await import("../openapi/document.ts");
    await pause();
    const toKey = (url: string) => `${version} ${url}`;
    const asked = toOrigin(request) ?? request.base;
    const isRefused = answers.size >= addressesMax && !answers.has(toKey(asked));
    // A client that invents hosts must take no memory, so it gets an address without a host.
    const url = isRefused ? request.base : asked;
    const answer = answers.get(toKey(url)) ?? toAnswer(atServer(document, url || "/"));
    answers.set(toKey(url), answer);
    return answer;
  };
  return { find, read };
}

const addressesMax = 24;

/** null for an invalid Host header. */
function toOrigin({ base, client, headers }: HttpRequest): string | null {
  const { host = headers.host ?? "", scheme = "http" } = client;
  return isHost(host) ? `${scheme}://${host.toLowerCase()}${base}` : null;
}

export function parseDocumentVersion({ headers, query }: Pick<HttpRequest, "headers" | "query">): ApiVersion {
  const { values, violations } = parseQuery(query);
  throwIfAny(violations);
  const header = headers["x-api-version"];
  const version = values.version ?? header ?? newestVersion;
  if (isApiVersion(version)) return version;
  const detail = "must be a version of the interface, like 2023/04/19.";
  if (values.version !== undefined) throw failure("invalid_choice", `version ${detail}`, "version");
  throw failure("invalid_header", `x-api-version ${detail}`, "x-api-version");
}

async function makeDocument(version: ApiVersion): Promise<OpenapiDocument> {
  const { makeOpenapi } = await import("../openapi/document.ts");
  const making = makeOpenapi(await loadOperations(), version);
  for (let step = making.next(); ; step = making.next()) {
    if (step.done) return step.value;
    await setImmediate();
  }
}

const toAnswer = (document: OpenapiDocument): HttpAnswer => ({
  status: 200,
  headers: { "content-type": "application/json", "x-api-version": document.info.version },
  body: JSON.stringify(document),
});
