import {
  type DocumentOutput,
  isDocument,
  isGet,
  isRepeatable,
  isTaggedRead,
  mayShowSecret,
  type Operation,
  rolesOf,
  takesPassword,
} from "../core/operation.ts";
import { changesRecord } from "../core/precondition.ts";
import type { ErrorCode } from "../errors/errors.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import { roles as allRoles, type Role } from "../models/user.ts";
import { endingOf, toRequestInput } from "../models/versions/index.ts";
import { kindOfNoun } from "../records/find-kind.ts";
import type { Answer } from "./error-answers.ts";
import { failuresOf } from "./error-codes.ts";
import recorded from "./examples.json" with { type: "json" };
import { answerHeadersOf, notModifiedHeadersOf, type Ref, requestHeadersOf } from "./headers.ts";
import type { ModelSchemas } from "./model-schemas.ts";
import { type Parameter, toParameters } from "./parameters.ts";

/** An Operation Object of OpenAPI 3.1, with our extensions. */
export interface OperationEntry {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  parameters: (Parameter | Ref)[];
  requestBody?: { required: true; content: Answer["content"] };
  responses: Record<string, Answer | Ref>;
  /** Empty for operations without a token; absent for the others. */
  security?: [];
  "x-roles": Role[];
  /** The codes of errors that the operation can return. */
  "x-error-codes": ErrorCode[];
  "x-events"?: HookEvent[];
  "x-extension"?: true;
}

export function toOperationEntry(
  operation: Operation,
  version: ApiVersion,
  refTo: ModelSchemas["refTo"],
): OperationEntry {
  const example = findExample(operation, version);
  const { allow, body, changes, extension, name, params, query, summary } = operation;
  return {
    operationId: name,
    tags: [tagOf(operation)],
    summary,
    description: toOperationText(operation),
    ...(endingOf(operation, version) && { deprecated: true }),
    parameters: [
      ...requestHeadersOf(operation),
      ...toParameters(params, "path", example?.params),
      ...toParameters(query, "query", example?.query),
    ],
    ...(body && {
      requestBody: { required: true, content: toJsonContent(refTo(body, "input"), example?.body) },
    }),
    responses: {
      "200": toSuccess(operation, version, refTo, example?.answer),
      ...(isTaggedRead(operation) && { "304": toNotModified(operation) }),
      ...toErrorRefs(operation),
    },
    ...(allow === "anyone" && { security: [] }),
    "x-error-codes": failuresOf(operation).flatMap(({ codes }) => codes),
    "x-roles": [...rolesOf(operation)],
    ...(changes.emits && { "x-events": [...changes.emits] }),
    ...(extension && { "x-extension": true }),
  };
}

function toSuccess(
  operation: Operation,
  version: ApiVersion,
  refTo: ModelSchemas["refTo"],
  example: unknown,
): Answer {
  const { output } = operation;
  return {
    description: "Success.",
    headers: answerHeadersOf(operation, version),
    content: isDocument(output)
      ? { [output.mediaType]: { schema: toFileSchema(output), ...(example !== undefined && { example }) } }
      : toJsonContent(refTo(output, "output"), example),
  };
}

/** A read that may return a secret needs no-store. */
function toNotModified(operation: Operation): Answer | Ref {
  if (!mayShowSecret(operation)) return { $ref: `#/components/responses/${notModifiedName}` };
  return toNotModifiedAnswer(operation);
}

export const notModifiedName = "NotModified";

export const toNotModifiedAnswer = (operation: Operation): Answer => ({
  description: "The response has not changed since the ETag in If-None-Match.",
  headers: notModifiedHeadersOf(operation),
  content: {},
});

function toJsonContent(schema: Record<string, unknown>, example: unknown): Answer["content"] {
  return { "application/json": { schema, ...(example !== undefined && { example }) } };
}

function toErrorRefs(operation: Operation): Record<string, Ref> {
  const refs = failuresOf(operation).map(({ status }) => [
    String(status),
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return Object.fromEntries(refs);
}

function toFileSchema({ mediaType }: DocumentOutput) {
  return mediaType === "application/json" ? { type: "object" } : { type: "string", format: "binary" };
}

function toOperationText(operation: Operation): string {
  const { changes, description, extension, lifetime } = operation;
  const paragraphs = [
    description,
    tellCallers(operation),
    tellCall(operation),
    changes.emits && `Sends ${joinWords(changes.emits)} events to webhooks.`,
    lifetime && `Not available after version ${lifetime.until}.`,
    extension && "An extension of this product.",
  ];
  return paragraphs.filter((paragraph) => typeof paragraph === "string").join("\n\n");
}

function tellCallers(operation: Operation): string {
  const roles = rolesOf(operation);
  if (operation.allow === "anyone") return "Needs no token and no tenant.";
  if (allRoles.every((role) => roles.includes(role)))
    return "For every role. The role determines which records and fields are visible.";
  return `For ${joinWords(roles)} only.`;
}

function tellCall(operation: Operation): string | undefined {
  const { effect, ofServer, output } = operation;
  if (effect === "call") {
    const caller = ofServer ? "" : "Calls the webhook's URL before it responds. ";
    const key = isGet(operation) ? "" : ", and the server refuses `Idempotency-Key`";
    return `${caller}Supports no dry run${key}.`;
  }
  if (effect === "read")
    return "shape" in output && "total_pages" in output.shape
      ? "Returns one page; the header `Link` has the URLs of the others."
      : undefined;
  const headers = [
    "`x-dry-run`",
    ...(isRepeatable(operation) ? ["`Idempotency-Key`"] : []),
    ...(changesRecord(operation) ? ["`If-Match`"] : []),
  ];
  const bound = takesPassword(operation) ? " Rate limited by IP address." : "";
  return `Accepts ${joinWords(headers)}.${bound}`;
}

/** `A`, `A and B`, `A, B and C`. */
function joinWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" and ");
}

/** The example request of an operation, in the newest version, and its responses. */
export interface RecordedExample {
  request: {
    params: Readonly<Record<string, string>>;
    query: Readonly<Record<string, string>>;
    body?: unknown;
  };
  /** Each response is valid down to the next older entry. Files have none. */
  answers: Partial<Record<ApiVersion, unknown>>;
}

interface Example {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  answer: unknown;
}

/** null if `npm run record` recorded none. */
function findExample({ name }: Pick<Operation, "name">, version: ApiVersion): Example | null {
  const example = examples[name];
  if (!example) return null;
  const { body, params, query } = example.request;
  const sent = toRequestInput(name, version, { body, query });
  const [since] = Object.keys(example.answers)
    .filter((known) => known >= version)
    .sort();
  const answer = since === undefined ? undefined : example.answers[since as ApiVersion];
  return { answer, body: sent.body, params, query: sent.query };
}

// The inferred type would contain every field of every record.
const examples = recorded as unknown as Readonly<Record<string, RecordedExample>>;

export interface Tag {
  name: string;
  description: string;
}

/** The noun of the name. */
export function tagOf({ name }: Operation): string {
  return name.split(".", 1)[0] ?? name;
}

export function toTags(operations: readonly Operation[]): Tag[] {
  return [...new Set(operations.map(tagOf))].map((name) => ({ name, description: aboutTag(name) }));
}

function aboutTag(name: string): string {
  const about = kindOfNoun(name)?.about ?? otherTags[name] ?? name;
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
}

const otherTags: Readonly<Record<string, string>> = {
  batch: "several operations in one transaction",
  requests: "the requests to a server, with their responses",
  sandbox: "the clock, records and requests of a sandbox store",
  erasures: "erasures of personal data",
  retention: "the retention periods of a tenant",
  search: "search by name, number, or text",
};
