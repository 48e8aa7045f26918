import { isDocument, isRepeatable, isTaggedRead, mayShowSecret, type Operation } from "../core/operation.ts";
import { answersRecord, changesRecord, codings } from "../core/precondition.ts";
import { type ApiVersion, apiVersions, defaultVersion } from "../models/api-versions.ts";
import type { JsonSchema } from "../models/fields.ts";
import { type Ending, endingOf } from "../models/versions/index.ts";
import type { Parameter } from "./parameters.ts";

export interface Header {
  description: string;
  schema: JsonSchema;
}

export interface Ref {
  $ref: string;
}

/** Without Authorization, which is a security scheme of the document. */
export function toRequestHeaders(version: ApiVersion): Record<string, Parameter> {
  return {
    "x-api-version": toVersionHeader(version),
    "x-tenant-id": {
      name: "x-tenant-id",
      in: "header",
      required: false,
      description:
        "The tenant of the request. A request without it is refused (400 `missing_header`); it is optional here for clients that add it to every request. GET /tenants lists the tenants of the token.",
      schema: { type: "integer" },
      example: 1,
    },
    "x-dry-run": {
      name: "x-dry-run",
      in: "header",
      required: false,
      description:
        "`true`: the server validates the request and returns the response that it would return, but stores nothing and sends no events.",
      schema: { type: "boolean" },
    },
    "Idempotency-Key": {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "A random UUID that identifies the request for 24 h, per user and tenant. A request with the same key does not run again: it returns the first response, with Idempotent-Replayed.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
    },
    "If-None-Match": {
      name: "If-None-Match",
      in: "header",
      required: false,
      description:
        "The ETag of an earlier response. If nothing changed, the server returns 304 without a body.",
      schema: { type: "string", examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
    },
    "If-Match": {
      name: "If-Match",
      in: "header",
      required: false,
      description:
        "The ETag of the record, from a GET at this version. If the record has changed, the server returns 412 and stores nothing. `*` matches any state.",
      schema: { type: "string", examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"', "*"] },
    },
  };
}

function toVersionHeader(version: ApiVersion): Parameter {
  const isDefault = version === defaultVersion;
  return {
    name: "x-api-version",
    in: "header",
    required: false,
    description: isDefault
      ? `The version that this document describes. A request without the header gets it too, unless its token names another version.`
      : `The version that this document describes. A request without the header gets ${defaultVersion}, or the version of its token.`,
    schema: { type: "string", const: version, ...(isDefault && { default: version }) },
    example: version,
  };
}

export function requestHeadersOf(operation: Operation): Ref[] {
  const { effect } = operation;
  const names = [
    ...(operation.allow === "anyone" || operation.allow === "token" ? [] : ["x-tenant-id"]),
    "x-api-version",
    ...(effect === "write" || effect === "delete" ? ["x-dry-run"] : []),
    ...(isRepeatable(operation) ? ["Idempotency-Key"] : []),
    ...(changesRecord(operation) ? ["If-Match"] : []),
    ...(isTaggedRead(operation) ? ["If-None-Match"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const commonHeaders: Record<string, Header> = {
  "Access-Control-Allow-Headers": toHeader("The headers that pages of other origins may send."),
  "Access-Control-Allow-Methods": toHeader("The same as Allow."),
  "Access-Control-Allow-Origin": toHeader("Any origin may call.", { const: "*" }),
  "Access-Control-Expose-Headers": toHeader("The headers that pages of other origins may read."),
  Allow: toHeader("The methods of the path, at all versions.", { examples: ["GET,POST"] }),
  Vary: toHeader("The request headers that affect the response."),
  "x-content-type-options": toHeader("Browsers must not guess the media type.", { const: "nosniff" }),
  "x-api-version": toHeader(
    "The version of the response; the oldest if the server could not read the request.",
    {
      enum: [...apiVersions],
    },
  ),
  "x-request-id": toHeader(
    "Identifies the request, also in the log. The server keeps the id of the request if it is a UUID.",
    { format: "uuid" },
  ),
  "x-sandbox-clock-offset": toHeader(
    "The offset of a sandbox store's clock in milliseconds, if it differs from the machine's.",
    { pattern: "^-?\\d+$" },
  ),
};

/** The document contains them once, as components. */
export const sharedHeaders: Record<string, Header> = {
  ...commonHeaders,
  "Content-Encoding": toHeader("The coding of the body, as negotiated by Accept-Encoding.", {
    enum: [...codings],
  }),
  ETag: toHeader(
    "Identifies the bytes of the response. Send it in If-None-Match to get 304 while they stay the same, or the ETag of a record in If-Match to change only that state of the record.",
  ),
  "Idempotent-Replayed": toHeader(
    "The request ran earlier with this Idempotency-Key; this is its first response.",
    { const: "true" },
  ),
  Link: toHeader(
    "The first, previous, next and last page (RFC 8288). The next page is present while records remain, also beyond total_pages.",
  ),
  RateLimit: toHeader(
    "If the server limits the requests of a token: the remaining requests (`r`) and, if none remain, the seconds until the next one (`t`).",
    { pattern: '^"token";r=\\d+(;t=\\d+)?$', examples: ['"token";r=199'] },
  ),
  "RateLimit-Policy": toHeader("The limit: the requests of a token (`q`) per period in seconds (`w`).", {
    pattern: '^"token";q=\\d+;w=\\d+$',
    examples: ['"token";q=200;w=2'],
  }),
};

/** Present if the server limits the requests of a token. */
const quotaHeaders = ["RateLimit", "RateLimit-Policy"];

function toHeader(description: string, rules: JsonSchema = {}): Header {
  return { description, schema: { type: "string", ...rules } };
}

export function answerHeadersOf(operation: Operation, version: ApiVersion): Record<string, Header | Ref> {
  const { allow, changes, output } = operation;
  const ending = endingOf(operation, version);
  const isList = "shape" in output && "total_pages" in output.shape;
  const isSecret = mayShowSecret(operation);
  return {
    ...toRefs(Object.keys(commonHeaders)),
    ...(isSecret && { "Cache-Control": noStore }),
    ...(isTaggedRead(operation) && toRefs(["ETag"])),
    ...(!isDocument(output) && toRefs(["Content-Encoding"])),
    ...(answersRecord(operation) && toRefs(["ETag"])),
    ...(isRepeatable(operation) && toRefs(["Idempotent-Replayed"])),
    ...(isList && toRefs(["Link"])),
    ...(ending && endingHeadersOf(ending)),
    ...(allow !== "anyone" && toRefs(quotaHeaders)),
    ...(isDocument(output) && {
      "Content-Disposition": toHeader("The file name. Browsers show the file inline."),
    }),
    // The response to a ping is signed.
    ...(changes.emits?.includes("Ping") && { "x-service-signature": serviceSignature }),
  };
}

const endingHeadersOf = ({ endsOn }: Ending): Record<string, Header> => ({
  Deprecation: toHeader("The Unix time of the deprecation (RFC 9745).", { pattern: "^@\\d+$" }),
  Link: toHeader("The page about the deprecation, and the pages of a list."),
  ...(endsOn !== undefined && { Sunset: toHeader("The end date (RFC 8594).") }),
});

export function notModifiedHeadersOf(operation: Operation): Record<string, Header | Ref> {
  return {
    ...toRefs(Object.keys(commonHeaders)),
    ...(mayShowSecret(operation) && { "Cache-Control": noStore }),
    ...toRefs(["ETag", ...quotaHeaders]),
  };
}

const noStore = toHeader("The response may contain a secret.", { const: "no-store" });

const serviceSignature = toHeader("The HMAC-SHA1 of the response body, with the webhook's secret.", {
  pattern: "^sha1=[0-9a-f]{40}$",
});

export function errorHeadersOf(status: number): Record<string, Header | Ref> {
  return {
    ...toRefs([...Object.keys(commonHeaders), "Content-Encoding"]),
    // A request that fails before authentication has no token to limit.
    ...(![401, 405, 408, 417, 431].includes(status) && toRefs(quotaHeaders)),
    // For operations that may return a secret.
    "Cache-Control": noStore,
    ...(status === 415 && { "Accept-Encoding": toHeader("The supported codings of a request body.") }),
    ...(status === 401 && { "WWW-Authenticate": toHeader("How to authenticate.", { const: "Bearer" }) }),
    ...([409, 429, 503].includes(status) && {
      "Retry-After": toHeader("The seconds to wait.", { pattern: "^\\d+$" }),
    }),
  };
}

function toRefs(names: readonly string[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
