import {
  type DocumentOutput,
  isDocument,
  isTaggedRead,
  mayShowSecret,
  type Operation,
  rolesOf,
} from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import type { Role } from "../models/user.ts";
import { endingOf } from "../models/versions/endings.ts";
import type { Answer } from "./error-answers.ts";
import { failuresOf } from "./error-codes.ts";
import { findExample } from "./examples.ts";
import { answerHeadersOf, notModifiedHeadersOf, type Ref, requestHeadersOf } from "./headers.ts";
import type { ModelSchemas } from "./model-schemas.ts";
import { toOperationText } from "./operation-text.ts";
import { type Parameter, toParameters } from "./parameters.ts";
import { tagOf } from "./tags.ts";

/** An operation in the document (OpenAPI 3.1, Operation Object), with what only this service says of it. */
export interface OperationEntry {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  parameters: (Parameter | Ref)[];
  requestBody?: { required: true; content: Answer["content"] };
  responses: Record<string, Answer | Ref>;
  /** Empty for operations that take no token; the others take the document's. */
  security?: [];
  "x-roles": Role[];
  "x-events"?: HookEvent[];
  "x-extension"?: true;
}

/** The entry of an operation, as it is at the document's version. */
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
    description: "The operation is done.",
    headers: answerHeadersOf(operation, version),
    content: isDocument(output)
      ? { [output.mediaType]: { schema: toFileSchema(output), ...(example !== undefined && { example }) } }
      : toJsonContent(refTo(output, "output"), example),
  };
}

/** Reads that may show a secret have an answer of their own, which says no-store. */
function toNotModified(operation: Operation): Answer | Ref {
  if (!mayShowSecret(operation)) return { $ref: `#/components/responses/${notModifiedName}` };
  return toNotModifiedAnswer(operation);
}

/** The answer that the document holds once. */
export const notModifiedName = "NotModified";

export const toNotModifiedAnswer = (operation: Operation): Answer => ({
  description: "The answer is still the one whose ETag If-None-Match names.",
  headers: notModifiedHeadersOf(operation),
  content: {},
});

function toJsonContent(schema: Record<string, unknown>, example: unknown): Answer["content"] {
  return { "application/json": { schema, ...(example !== undefined && { example }) } };
}

function toErrorRefs(operation: Operation): Record<string, Ref> {
  const refs = failuresOf(operation).map(({ name, status }) => [
    String(status),
    { $ref: `#/components/responses/${name}` },
  ]);
  return Object.fromEntries(refs);
}

function toFileSchema({ mediaType }: DocumentOutput) {
  return mediaType === "application/json" ? { type: "object" } : { type: "string", format: "binary" };
}
