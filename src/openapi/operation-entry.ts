import { isDocument, type Operation } from "../core/operation.ts";
import type { HookEvent } from "../models/event-kinds.ts";
import type { Role } from "../models/user.ts";
import { type Answer, errorAnswerName, errorStatusesOf } from "./error-answers.ts";
import { answerHeadersOf, type Ref, requestHeadersOf } from "./headers.ts";
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
export function toOperationEntry(operation: Operation, refTo: ModelSchemas["refTo"]): OperationEntry {
  const { access, body, emits, extension, lifetime, name, params, query, roles, summary } = operation;
  return {
    operationId: name,
    tags: [tagOf(operation)],
    summary,
    description: toOperationText(operation),
    ...(lifetime && { deprecated: true }),
    parameters: [
      ...requestHeadersOf(operation),
      ...toParameters(params, "path"),
      ...toParameters(query, "query"),
    ],
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: refTo(body, "input") } } },
    }),
    responses: { "200": toSuccess(operation, refTo), ...toErrorRefs(operation) },
    ...(access === "public" && { security: [] }),
    "x-roles": [...roles],
    ...(emits && { "x-events": [...emits] }),
    ...(extension && { "x-extension": true }),
  };
}

function toSuccess(operation: Operation, refTo: ModelSchemas["refTo"]): Answer {
  const { output } = operation;
  return {
    description: "The operation is done.",
    headers: answerHeadersOf(operation),
    content: isDocument(output)
      ? { [output.mediaType]: { schema: { type: "string", format: "binary" } } }
      : { "application/json": { schema: refTo(output, "output") } },
  };
}

function toErrorRefs(operation: Operation): Record<string, Ref> {
  const refs = errorStatusesOf(operation).map((status) => [
    String(status),
    { $ref: `#/components/responses/${errorAnswerName(status)}` },
  ]);
  return Object.fromEntries(refs);
}
