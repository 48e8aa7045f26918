import Negotiator from "negotiator";
import { failure } from "../errors/errors.ts";
import { type ApiVersion, defaultVersion, isApiVersion } from "../models/api-versions.ts";
import { integerText } from "../models/parse.ts";
import type { HttpAnswer } from "./http-messages.ts";

/** In the order of the Allow header. */
export const allMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const interfaceMethods = ["GET", "POST", "PATCH", "DELETE"] as const;

/** For every response, including errors and OPTIONS. */
export function toCommonHeaders(
  requestId: string,
  version: ApiVersion,
  allow: string,
): Record<string, string> {
  return {
    "access-control-allow-headers": allowedHeaders,
    "access-control-allow-methods": allow,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": exposedHeaders,
    allow,
    vary: varyingHeaders,
    "x-content-type-options": "nosniff",
    "x-api-version": version,
    "x-request-id": requestId,
  };
}

/** Removes the headers that let pages of other origins read the response. */
export function withoutCrossOrigin(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("access-control-")));
}

/** Pages of other origins may send these. */
const allowedHeaders = [
  ...["Authorization", "Accept", "X-TENANT-ID", "Content-Type"],
  ...[
    "X-API-VERSION",
    "X-DRY-RUN",
    "X-REQUEST-ID",
    "X-SANDBOX-FAULT",
    "Content-Encoding",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Traceparent",
    "Tracestate",
  ],
].join(", ");

/** Pages of other origins may read these. */
const exposedHeaders = [
  ...[
    "Accept-Encoding",
    "Allow",
    "Content-Disposition",
    "Deprecation",
    "ETag",
    "Idempotent-Replayed",
    "Link",
  ],
  ...["RateLimit", "RateLimit-Policy", "Retry-After", "Sunset", "WWW-Authenticate", "X-API-VERSION"],
  ...["X-REQUEST-ID", "X-SANDBOX-CLOCK-OFFSET", "X-SERVICE-SIGNATURE"],
].join(", ");

/** A cache keeps one response for each value of these. */
const varyingHeaders = "Accept, Accept-Encoding, Authorization, X-API-VERSION, X-TENANT-ID";

/** A browser does not ask again for `access-control-max-age` seconds. */
export const preflightAnswer: HttpAnswer = {
  status: 200,
  headers: { "access-control-max-age": "7200" },
  body: "",
};

/** A page may send any method to an unknown path, so that it sees the 404. */
export const unknownPathPreflight: HttpAnswer = {
  ...preflightAnswer,
  headers: { ...preflightAnswer.headers, "access-control-allow-methods": interfaceMethods.join(",") },
};

/** For requests that are refused before their version is read. */
export function toShownVersion(header: string | undefined, pinned: string | null): ApiVersion {
  if (header === undefined) return pinned !== null && isApiVersion(pinned) ? pinned : defaultVersion;
  return isApiVersion(header) ? header : defaultVersion;
}

/** Default: the token's version, else the oldest. Throws invalid_header. */
export function parseVersion(header: string | undefined, pinned: string | null): ApiVersion {
  if (header !== undefined && !isApiVersion(header)) {
    const shown = header.length > 64 ? `${header.length} characters` : JSON.stringify(header);
    throw failure(
      "invalid_header",
      `x-api-version must be a version of the interface, like 2023/04/19, not ${shown}.`,
      "x-api-version",
    );
  }
  return toShownVersion(header, pinned);
}

/** Ignores other texts than UUIDs, because a proxy may have sent them. */
export function parseRequestId(header: string | string[] | undefined): string | null {
  return typeof header === "string" && uuidPattern.test(header) ? header : null;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function parseTenantId(header: string | undefined): number {
  if (header === undefined)
    throw failure("missing_header", "x-tenant-id must name the tenant.", "x-tenant-id");
  const id = integerText.test(header) ? Number(header) : Number.NaN;
  if (!Number.isSafeInteger(id))
    throw failure("invalid_header", "x-tenant-id must be an Integer.", "x-tenant-id");
  return id;
}

/** Throws not_acceptable. A caller that accepts problem details accepts the first media type, unless refused. */
export function checkAccept(accept: string | undefined, mediaTypes: readonly string[]): void {
  if (accepts(accept, mediaTypes)) return;
  if (accept !== undefined && asksForProblem(accept) && !refuses(accept, mediaTypes[0] ?? "")) return;
  throw failure(
    "not_acceptable",
    `The answer is ${mediaTypes.join(" or ")}; Accept allows neither.`,
    "accept",
  );
}

export function accepts(accept: string | undefined, mediaTypes: readonly string[]): boolean {
  if (accept === undefined || accept === "*/*" || mediaTypes.includes(accept)) return true;
  // An empty list refuses nothing (RFC 9110, 12.5.1).
  if (/^[\s,]*$/.test(accept)) return true;
  return new Negotiator({ headers: { accept } }).mediaTypes([...mediaTypes]).length > 0;
}

/** Whether Accept gives the media type, or its range, the quality 0. */
function refuses(accept: string, mediaType: string): boolean {
  const ranges = [mediaType, mediaType.replace(/\/.*/, "/*"), "*/*"];
  return accept
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()))
    .some(
      ([range = "", ...rest]) => ranges.includes(range) && rest.some((piece) => /^q=0(?:\.0*)?$/.test(piece)),
    );
}

const problemTypes = ["application/problem+json", "application/problem+json;charset=utf-8"];

/** Whether Accept names RFC 9457 problem details with a quality above 0. */
export function asksForProblem(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return /(?:^|,)\s*application\/problem\+json\s*(?:;|,|$)/i.test(accept) && accepts(accept, problemTypes);
}

/** A missing Content-Type means JSON. Throws unsupported_media_type. */
export function checkContentType(header: string | undefined): void {
  if (
    header === undefined ||
    /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i.test(header.trim())
  )
    return;
  throw failure(
    "unsupported_media_type",
    `The body must be application/json in UTF-8, not ${header}.`,
    "content-type",
  );
}

/** Throws invalid_header: a request with a typo here must not write. */
export function parseDryRun(header: string | undefined): boolean {
  if (header === undefined || /^(?:0|false)$/i.test(header)) return false;
  if (/^(?:1|true)$/i.test(header)) return true;
  throw failure("invalid_header", "x-dry-run must be a Boolean: true, false, 0 or 1.", "x-dry-run");
}
