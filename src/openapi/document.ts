import { isTaggedRead, mayShowSecret, type Operation, routeOf } from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { EventModel } from "../models/event.ts";
import type { JsonSchema } from "../models/fields.ts";
import { requestChangeSince } from "../models/versions/index.ts";
import { toDescription } from "./description.ts";
import { type Answer, errorSchemas, toErrorCodes, toErrorResponse } from "./error-answers.ts";
import { type Failure, failuresOf } from "./error-codes.ts";
import { type Header, type Ref, sharedHeaders, toRequestHeaders } from "./headers.ts";
import { makeModelSchemas } from "./model-schemas.ts";
import {
  notModifiedName,
  type OperationEntry,
  type Tag,
  toNotModifiedAnswer,
  toOperationEntry,
  toTags,
} from "./operation-entry.ts";
import type { Parameter } from "./parameters.ts";
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

/** The operations as callers at a version know them: without those that ended before, with the input of that time. */
export function operationsAt(operations: readonly Operation[], version: ApiVersion): Operation[] {
  return operations
    .filter(({ lifetime }) => !lifetime || version <= lifetime.until)
    .map((operation) => ({ ...operation, ...requestChangeSince(version, operation.name)?.before }));
}

/** What the stream of events refuses as an operation would: a read like the list of events, which goes on. */
function toStreamOperation(operations: readonly Operation[]): Operation | undefined {
  const list = operations.find(({ name }) => name === "events.list");
  return (
    list && {
      ...list,
      description,
      allow: "anyRole",
      name: "events.stream",
      output: EventModel,
      query: {},
      refuses: [],
      route: "GET /stream",
      summary,
    }
  );
}

const summary = "Follow what happens to records, as server-sent events";

const description =
  "The stream begins with what happens from now on, or behind the event that `Last-Event-ID` names. `event` is the kind, `id` the event's id, `data` what a webhook gets: unlike other answers, at the newest version unless `x-api-version` or the token names one. Each caller is sent the events of those records that it may get: the tenant's to who sees all of it; else the record as its GET shows it to the caller. When the named event is not in the log any more, an event `Missed` with `last_event_id` comes first. After 15 s in which nothing else was sent there is a comment. The stream ends when the caller may not read on, when nothing is taken of it for 15 s, and when the server closes, with `retry`. A token may have 50 open, a tenant 1,000 (429) and a process 4,000 (503).";

const lastEventId: Parameter = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The id of an event of the stream, which goes on behind it.",
  schema: { type: "string", format: "uuid" },
};

/** The entry of the stream, made of what the document says of an operation that refuses the same. */
function toStreamEntry(entry: OperationEntry): OperationEntry {
  const { "200": answer, "304": _unchanged, ...refusals } = entry.responses;
  const {
    "Content-Encoding": _coding,
    ETag: _tag,
    Link: _link,
    ...headers
  } = answer && "headers" in answer ? answer.headers : {};
  return {
    ...entry,
    parameters: [...entry.parameters.filter((known) => !isIfNoneMatch(known)), lastEventId],
    responses: {
      "200": {
        description: "The events, as they happen.",
        headers,
        content: { "text/event-stream": { schema: { type: "string" }, example } },
      },
      ...refusals,
    },
  };
}

const isIfNoneMatch = (known: Parameter | Ref) => "$ref" in known && known.$ref.endsWith("/If-None-Match");

const example = `retry: 1000
id: 7c1e4a52-9f6a-4b1e-8c2d-5a6b7c8d9e0f

event: Job
id: 0b9a4a52-9f6a-4b1e-8c2d-5a6b7c8d9e0f
data: {"action":"dispatched","api_version":"2023/04/19","data":{"id":17},"id":"0b9a4a52-9f6a-4b1e-8c2d-5a6b7c8d9e0f","tenant_id":1,"timestamp":"2026-11-21T12:00:00.000000Z","type":"Job"}

`;
