import { isTaggedRead, mayShowSecret, type Operation, routeOf } from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { JsonSchema } from "../models/fields.ts";
import { toDescription } from "./description.ts";
import { type Answer, toErrorCodes, toErrorResponse } from "./error-answers.ts";
import { type Failure, failuresOf } from "./error-codes.ts";
import { errorSchemas } from "./error-schemas.ts";
import { type Header, sharedHeaders, toRequestHeaders } from "./headers.ts";
import { makeModelSchemas } from "./model-schemas.ts";
import {
  notModifiedName,
  type OperationEntry,
  toNotModifiedAnswer,
  toOperationEntry,
} from "./operation-entry.ts";
import { operationsAt } from "./operations-at.ts";
import type { Parameter } from "./parameters.ts";
import { toStreamEntry, toStreamOperation } from "./stream-entry.ts";
import { type Tag, toTags } from "./tags.ts";
import { toSharedDeliveryHeaders } from "./webhook-headers.ts";
import { toEventBodyModels, toWebhooks, type WebhookEntry } from "./webhooks.ts";

/** An OpenAPI 3.1 document, as far as this service's goes. */
export interface OpenapiDocument {
  openapi: "3.1.0";
  info: {
    title: string;
    version: ApiVersion;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  /** Where the document came from, unless `atServer` said otherwise: its address is the base of relative ones. */
  servers: { url: string; description: string }[];
  security: { bearer: [] }[];
  tags: Tag[];
  /** By path, then by method in lower case. */
  paths: Record<string, Record<string, OperationEntry>>;
  webhooks: Record<string, WebhookEntry>;
  components: {
    headers: Record<string, Header>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Answer>;
    schemas: Record<string, JsonSchema>;
    securitySchemes: { bearer: { type: "http"; scheme: "bearer"; description: string } };
  };
}

/**
 * The OpenAPI document at a version, from the declarations of the operations alone; the same bytes for the same
 * declarations. HEAD and OPTIONS are not listed.
 */
export function toOpenapi(operations: readonly Operation[], version: ApiVersion): OpenapiDocument {
  const making = makeOpenapi(operations, version);
  for (let step = making.next(); ; step = making.next()) if (step.done) return step.value;
}

/** The same in steps of a model or an operation, between which a server answers others: all of them take 0.1 s and more. */
export function* makeOpenapi(
  operations: readonly Operation[],
  version: ApiVersion,
): Generator<void, OpenapiDocument> {
  const known = operationsAt(operations, version);
  const bodies = toEventBodyModels(version);
  const models = yield* makeModelSchemas(known, version, Object.values(bodies));
  const stream = toStreamOperation(known);
  const failures = collectFailures(stream ? [...known, stream] : known);
  const tagged = known.find((operation) => isTaggedRead(operation) && !mayShowSecret(operation));
  const toEntry = (operation: Operation) => toOperationEntry(operation, version, models.refTo);
  return {
    openapi: "3.1.0",
    info: {
      title: "Dispatch service",
      version,
      description: toDescription(operations, version),
      contact: { name: "dispatch-cli" },
      license: { name: "MIT License", identifier: "MIT" },
    },
    servers: toServers("/"),
    security: [{ bearer: [] }],
    tags: toTags(known),
    paths: {
      ...(yield* makePaths(known, toEntry)),
      ...(stream && { [routeOf(stream).path]: { get: toStreamEntry(toEntry(stream)) } }),
    },
    webhooks: toWebhooks(version, bodies, models.refTo),
    components: {
      headers: sharedHeaders,
      parameters: { ...toRequestHeaders(version), ...toSharedDeliveryHeaders(version) },
      responses: {
        ...Object.fromEntries(failures.map((failure) => [failure.name, toErrorResponse(failure)])),
        ...(tagged && { [notModifiedName]: toNotModifiedAnswer(tagged) }),
      },
      schemas: { ...models.schemas, ...errorSchemas, ...toErrorCodes(failures) },
      securitySchemes: { bearer: bearerToken },
    },
  };
}

/** The same document with the address of a server, which is written without a slash at its end. */
export function atServer(document: OpenapiDocument, url: string): OpenapiDocument {
  return { ...document, servers: toServers(url) };
}

const toServers = (url: string) => [{ url, description: "The server that this document is of." }];

const bearerToken = {
  type: "http",
  scheme: "bearer",
  description: "An opaque access token, made with `dispatch-cli tokens create`.",
} as const;

function* makePaths(
  operations: readonly Operation[],
  toEntry: (operation: Operation) => OperationEntry,
): Generator<void, OpenapiDocument["paths"]> {
  const paths: OpenapiDocument["paths"] = {};
  for (const operation of operations) {
    const { path, method } = routeOf(operation);
    paths[path] = { ...paths[path], [method.toLowerCase()]: toEntry(operation) };
    yield;
  }
  return paths;
}

/** The failures of the operations, each once. */
function collectFailures(operations: readonly Operation[]): Failure[] {
  const byName = new Map(operations.flatMap(failuresOf).map((failure) => [failure.name, failure]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
