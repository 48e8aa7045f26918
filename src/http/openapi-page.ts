import { setImmediate } from "node:timers/promises";
import { failure, throwIfAny } from "../errors/errors.ts";
import { type ApiVersion, isApiVersion, newestVersion } from "../models/api-versions.ts";
import { loadOperations } from "../operations/index.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpRequest } from "./http-request.ts";
import { isHost } from "./listening/is-host.ts";
import { parseQuery } from "./query.ts";

/** The OpenAPI documents of a server. */
export interface Documents {
  /** The one that a request asks for. */
  find(request: HttpRequest): Promise<HttpAnswer>;
  /** The one of a version, with "/" as the server. */
  read(version: ApiVersion): Promise<HttpAnswer>;
}

/**
 * Gives the OpenAPI document that a request asks for: at the version of its query, else of its header, else at the newest;
 * with the address that it came by as the server. The answer says the version of the document; one is kept for each
 * version and address, so that the same request gets the same object.
 */
export function createDocuments(): Documents {
  const documents = new Map<ApiVersion, Promise<HttpAnswer>>();
  const addressed = new Map<string, HttpAnswer>();
  const read = (version: ApiVersion) => {
    const known = documents.get(version) ?? writeDocument(version);
    documents.set(version, known);
    // The next request tries again.
    known.catch(() => documents.delete(version));
    return known;
  };
  const find = async (request: HttpRequest) => {
    const version = parseDocumentVersion(request);
    const document = await read(version);
    const origin = toOrigin(request) ?? request.base;
    if (origin === "") return document;
    const key = `${version} ${origin}`;
    const known = addressed.get(key);
    if (known) return known;
    // Whoever invents hosts takes no memory: beyond these the document says "/", which is the same place.
    if (addressed.size >= addressesMax) return document;
    const made = toAnswer(
      version,
      String(document.body).replace(relative, () => toServers(origin)),
    );
    addressed.set(key, made);
    return made;
  };
  return { find, read };
}

/** Texts with an address of their own; each of them takes a megabyte. */
const addressesMax = 24;

const toServers = (url: string) => `"servers":[{"url":${JSON.stringify(url)}`;

const relative = toServers("/");

/** The address that a client used; null where its Host says none. */
function toOrigin({ base, client, headers }: HttpRequest): string | null {
  const { host = headers.host ?? "", scheme = "http" } = client;
  return isHost(host) ? `${scheme}://${host.toLowerCase()}${base}` : null;
}

/** The version that a request for a document or a page of it asks for. */
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

async function writeDocument(version: ApiVersion): Promise<HttpAnswer> {
  const { makeOpenapi } = await import("../openapi/document.ts");
  const making = makeOpenapi(await loadOperations(), version);
  for (let step = making.next(); ; step = making.next()) {
    if (step.done) return toAnswer(version, JSON.stringify(step.value));
    await setImmediate();
  }
}

const toAnswer = (version: ApiVersion, body: string): HttpAnswer => ({
  status: 200,
  headers: { "content-type": "application/json", "x-api-version": version },
  body,
});
