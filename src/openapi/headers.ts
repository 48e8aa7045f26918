import { codings } from "../core/entity-tag.ts";
import { isDocument, isRepeatable, isTaggedRead, mayShowSecret, type Operation } from "../core/operation.ts";
import { answersRecord, changesRecord } from "../core/precondition.ts";
import { type ApiVersion, apiVersions, defaultVersion } from "../models/api-versions.ts";
import type { JsonSchema } from "../models/fields.ts";
import { type Ending, endingOf } from "../models/versions/endings.ts";
import type { Parameter } from "./parameters.ts";

/** A header of an answer. */
export interface Header {
  description: string;
  schema: JsonSchema;
}

/** A reference to a component of the document. */
export interface Ref {
  $ref: string;
}

/** The headers of requests, by name; authorization is the document's security scheme. */
export function toRequestHeaders(version: ApiVersion): Record<string, Parameter> {
  return {
    "x-api-version": toVersionHeader(version),
    "x-tenant-id": {
      name: "x-tenant-id",
      in: "header",
      required: true,
      description: "The tenant that the request is about; GET /tenants lists those that the token reaches.",
      schema: { type: "integer" },
      example: 1,
    },
    "x-dry-run": {
      name: "x-dry-run",
      in: "header",
      required: false,
      description:
        "`true`: the request is checked and answered as if it were carried out, and nothing is stored or sent to webhooks.",
      schema: { type: "boolean" },
    },
    "Idempotency-Key": {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "Names the request for 24 h, for its user in the tenant: sent again with the same key, it is not carried out again but answered as it was (with Idempotent-Replayed). A random UUID.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
    },
    "If-None-Match": {
      name: "If-None-Match",
      in: "header",
      required: false,
      description:
        "The ETag of an earlier answer: if the answer is still the same, it is 304 without a body.",
      schema: { type: "string", examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'] },
    },
    "If-Match": {
      name: "If-Match",
      in: "header",
      required: false,
      description:
        "The ETag of the record, as its GET showed it at this version: the change is made only if nobody has changed the record since, else it is 412. `*` for whatever it is like.",
      schema: { type: "string", examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"', "*"] },
    },
  };
}

/**
 * Who sends no version gets the oldest, unless the token names one: only there a client that leaves it out gets what the
 * document says.
 */
function toVersionHeader(version: ApiVersion): Parameter {
  const isDefault = version === defaultVersion;
  return {
    name: "x-api-version",
    in: "header",
    required: !isDefault,
    description: isDefault
      ? `The version that this document describes. It is what a request without the header gets, unless its token was made for another version.`
      : `The version that this document describes. A request without the header gets ${defaultVersion}, or the version that its token was made for.`,
    schema: { type: "string", const: version, ...(isDefault && { default: version }) },
    example: version,
  };
}

/** The headers that a request for the operation takes. */
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

/** The headers that every answer has, by name. */
const commonHeaders: Record<string, Header> = {
  "Access-Control-Allow-Headers": toHeader("The headers that a page of another origin may send."),
  "Access-Control-Allow-Methods": toHeader("The same as Allow."),
  "Access-Control-Allow-Origin": toHeader("Any origin may call.", { const: "*" }),
  "Access-Control-Expose-Headers": toHeader("The headers that a page of another origin may read."),
  Allow: toHeader("The methods that the path takes at any version.", { examples: ["GET,POST"] }),
  Vary: toHeader("The headers of the request that change its answer."),
  "x-content-type-options": toHeader("The answer is what its type says.", { const: "nosniff" }),
  "x-api-version": toHeader("The version in effect; of a request that could not be read, the oldest.", {
    enum: [...apiVersions],
  }),
  "x-request-id": toHeader(
    "Identifies the request, in the log too: that of the request, where it was a UUID.",
    { format: "uuid" },
  ),
  "x-sandbox-clock-offset": toHeader(
    "How many milliseconds the clock of a sandbox store is ahead of the machine's; only there, and only where they differ.",
    { pattern: "^-?\\d+$" },
  ),
};

/** The headers that many answers have, by name; the document holds them once. */
export const sharedHeaders: Record<string, Header> = {
  ...commonHeaders,
  "Content-Encoding": toHeader("The coding of the body, one of those that Accept-Encoding names.", {
    enum: [...codings],
  }),
  ETag: toHeader(
    "Stands for the answer's bytes; send it as If-None-Match to be answered 304 while they are the same, that of a record as If-Match to change it only while it is.",
  ),
  "Idempotent-Replayed": toHeader(
    "The request was carried out before, with this Idempotency-Key; this is its answer again.",
    { const: "true" },
  ),
  Link: toHeader(
    "The first, previous, next and last page (RFC 8288); the next while records remain, beyond total_pages too.",
  ),
  RateLimit: toHeader(
    "Where the server bounds the requests of a token: how many it has left (`r`), and where that is 0, in how many seconds the next is due (`t`).",
    { pattern: '^"token";r=\\d+(;t=\\d+)?$', examples: ['"token";r=199'] },
  ),
  "RateLimit-Policy": toHeader(
    "The bound: how many requests a token has at once (`q`), and in how many seconds as many come back (`w`).",
    { pattern: '^"token";q=\\d+;w=\\d+$', examples: ['"token";q=200;w=2'] },
  ),
};

/** The headers of the answers to a token, where the server bounds its requests. */
const quotaHeaders = ["RateLimit", "RateLimit-Policy"];

function toHeader(description: string, rules: JsonSchema = {}): Header {
  return { description, schema: { type: "string", ...rules } };
}

/** The headers of the operation's success. */
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
    ...(isDocument(output) && { "Content-Disposition": toHeader("Names the file; it is shown inline.") }),
    // The ping's own answer is signed.
    ...(changes.emits?.includes("Ping") && { "x-service-signature": serviceSignature }),
  };
}

/** What the answers of an operation or a version that ends say of that. */
const endingHeadersOf = ({ endsOn }: Ending): Record<string, Header> => ({
  Deprecation: toHeader("The Unix second from which on it is deprecated (RFC 9745).", { pattern: "^@\\d+$" }),
  Link: toHeader("The page of the change, and the pages of a list."),
  ...(endsOn !== undefined && { Sunset: toHeader("When it ends, as a date of HTTP (RFC 8594).") }),
});

/** The headers of the answer to a read whose caller has the answer already. */
export function notModifiedHeadersOf(operation: Operation): Record<string, Header | Ref> {
  return {
    ...toRefs(Object.keys(commonHeaders)),
    ...(mayShowSecret(operation) && { "Cache-Control": noStore }),
    ...toRefs(["ETag", ...quotaHeaders]),
  };
}

const noStore = toHeader("It may show a secret.", { const: "no-store" });

const serviceSignature = toHeader("HMAC-SHA1 of the answer's body, under the webhook's secret.", {
  pattern: "^sha1=[0-9a-f]{40}$",
});

/** The headers of an error's answer. */
export function errorHeadersOf(status: number): Record<string, Header | Ref> {
  return {
    ...toRefs([...Object.keys(commonHeaders), "Content-Encoding"]),
    // Who shows no good token, or is not read at all, has none.
    ...(![401, 405, 408, 417, 431].includes(status) && toRefs(quotaHeaders)),
    // Where the operation may show a secret.
    "Cache-Control": noStore,
    ...(status === 415 && { "Accept-Encoding": toHeader("The codings that a body may have.") }),
    ...(status === 401 && { "WWW-Authenticate": toHeader("How to authenticate.", { const: "Bearer" }) }),
    ...([409, 429, 503].includes(status) && {
      "Retry-After": toHeader("Seconds to wait.", { pattern: "^\\d+$" }),
    }),
  };
}

function toRefs(names: readonly string[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
