import { isTaggedRead, mayShowSecret, type Operation, routeOf } from "../core/operation.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import { EventModel, streamFilters } from "../models/event.ts";
import type { JsonSchema } from "../models/fields.ts";
import { requestChangeSince } from "../models/versions/index.ts";
import { toDescription } from "./description.ts";
import { type Answer, errorSchemas, toErrorResponse } from "./error-answers.ts";
import { failuresOf } from "./error-codes.ts";
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

/** An OpenAPI 3.1 document; only the parts that this service uses. */
export interface OpenapiDocument {
  openapi: "3.1.0";
  info: {
    title: string;
    version: ApiVersion;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  /** Relative to the document's address, unless `atServer` sets another. */
  servers: { url: string; description: string }[];
  security: { bearer: [] }[];
  tags: Tag[];
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

/** Does not list HEAD and OPTIONS. */
export function toOpenapi(operations: readonly Operation[], version: ApiVersion): OpenapiDocument {
  const making = makeOpenapi(operations, version);
  for (let step = making.next(); ; step = making.next()) if (step.done) return step.value;
}

/** Yields after each model and operation: the document takes 0.1 s, and a server must answer other requests. */
export function* makeOpenapi(
  operations: readonly Operation[],
  version: ApiVersion,
): Generator<void, OpenapiDocument> {
  const known = operationsAt(operations, version);
  const bodies = toEventBodyModels(version);
  const models = yield* makeModelSchemas(known, version, Object.values(bodies));
  const stream = toStreamOperation(known);
  const failures = new Set(known.flatMap(failuresOf).map(({ status }) => status));
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
        ...Object.fromEntries([...failures].map((status) => [`Error${status}`, toErrorResponse(status)])),
        ...(tagged && { [notModifiedName]: toNotModifiedAnswer(tagged) }),
      },
      schemas: { ...models.schemas, ...errorSchemas },
      securitySchemes: { bearer: bearerToken },
    },
  };
}

/** `url` has no slash at its end. */
export function atServer(document: OpenapiDocument, url: string): OpenapiDocument {
  return { ...document, servers: toServers(url) };
}

const toServers = (url: string) => [{ url, description: "The server of this document." }];

const bearerToken = {
  type: "http",
  scheme: "bearer",
  description: "An opaque access token. Create one with `dispatch-cli tokens create`.",
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

/** Omits operations that ended before the version. */
export function operationsAt(operations: readonly Operation[], version: ApiVersion): Operation[] {
  return operations
    .filter(({ lifetime }) => !lifetime || version <= lifetime.until)
    .map((operation) => ({ ...operation, ...requestChangeSince(version, operation.name)?.before }));
}

/** The stream fails like the list of events, so its entry derives from that operation. */
function toStreamOperation(operations: readonly Operation[]): Operation | undefined {
  const list = operations.find(({ name }) => name === "events.list");
  return (
    list && {
      ...list,
      description,
      allow: "anyRole",
      name: "events.stream",
      output: EventModel,
      query: streamFilters,
      refuses: [],
      route: "GET /stream",
      summary,
    }
  );
}

const summary = "Follow events as server-sent events";

const description =
  "The stream starts with the next event, or after the event of `Last-Event-ID`. `event` is the kind, `id` the event's id, `data` the body of a webhook delivery: unlike other responses, at the newest version unless `x-api-version` or the token names one. Each caller receives the events of records that it may read, with the record as GET returns it to the caller. If the log no longer has the named event, the stream starts with an event `Missed` that contains `last_event_id`. The server sends a comment after 15 s without events. The stream ends when the caller loses access, when the client reads nothing for 15 s, and when the server shuts down, with `retry`. A token may have 50 open streams, a tenant 1,000 (429), and a process 4,000 (503).";

const lastEventId: Parameter = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The id of an event. The stream resumes after it.",
  schema: { type: "string", format: "uuid" },
};

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
        description: "The stream of events.",
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
