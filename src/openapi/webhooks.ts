import type { ApiVersion } from "../models/api-versions.ts";
import { eventModels } from "../models/event.ts";
import { eventActionsOf, eventKinds, type HookEvent, hookEvents } from "../models/event-kinds.ts";
import { choice, id, type JsonSchema, timestamp, uuid } from "../models/fields.ts";
import { absentable, defineModel, mapShape, nullable } from "../models/model.ts";
import { sampleId, sampleMoment, sampleRecord, sampleUuid } from "../models/versions/sample-record.ts";
import { modelAt, toJson } from "../models/versions/serializer.ts";
import { toBodyAt } from "../webhooks/event-body.ts";
import {
  answerMsMax,
  busyStatuses,
  busyWaitMs,
  failedMessagesMin,
  failingMsMax,
  jitter,
  retryAfterMsMax,
  retryWaitsMs,
} from "../webhooks/retry.ts";
import type { Header, Ref } from "./headers.ts";
import type { ModelSchemas } from "./model-schemas.ts";
import type { Parameter } from "./parameters.ts";
import { toDeliveryHeaders } from "./webhook-headers.ts";

/** A Path Item Object of OpenAPI: the request that a webhook gets. */
export interface WebhookEntry {
  post: {
    operationId: string;
    tags: string[];
    summary: string;
    description: string;
    parameters: (Parameter | Ref)[];
    requestBody: { required: true; description: string; content: { "application/json": WebhookContent } };
    responses: Record<string, WebhookAnswer>;
    /** Deliveries carry no token: receivers verify the signatures. */
    security: [];
  };
}

interface WebhookContent {
  schema: JsonSchema;
  examples: Record<string, { summary: string; value: unknown }>;
}

/** The body of each kind of event at a version; the models become components of the document. */
export function toEventBodyModels(version: ApiVersion): EventBodyModels {
  return Object.fromEntries(hookEvents.map((kind) => [kind, toBodyModel(kind, version)])) as EventBodyModels;
}

type EventBodyModels = Record<HookEvent, ReturnType<typeof toBodyModel>>;

/** The section of webhooks of the document at a version: what each kind of event sends, by the kind. */
export function toWebhooks(
  version: ApiVersion,
  bodies: EventBodyModels,
  refTo: ModelSchemas["refTo"],
): Record<string, WebhookEntry> {
  const entries = hookEvents.map((kind) => [
    kind,
    { post: toPost(kind, version, refTo(bodies[kind], "output")) },
  ]);
  return Object.fromEntries(entries);
}

function toPost(kind: HookEvent, version: ApiVersion, schema: JsonSchema): WebhookEntry["post"] {
  const { actions, data, summary } = eventKinds[kind];
  const [action = "", happened = ""] = Object.entries(actions)[0] ?? [];
  return {
    operationId: `receive.${kind}`,
    tags: ["hooks"],
    summary: `An event about ${summary}`,
    description: [
      `Sent to the webhooks that subscribe to \`${kind}\`, by \`action\`:`,
      Object.entries(actions).map(toActionLine).join("\n"),
      kind === "Ping" ? "It is one attempt, and is not repeated." : order,
      "Verify one of the two signatures, over the body's bytes as they came, with the key behind the Base64 text of the webhook's secret.",
    ].join("\n\n"),
    parameters: toDeliveryHeaders(kind),
    requestBody: {
      required: true,
      description: `The event; \`data\` is ${data}, in the shape of ${version}.`,
      content: {
        "application/json": {
          schema,
          examples: { [action]: { summary: happened, value: toSample(kind, action, version) } },
        },
      },
    },
    responses: toReceiverAnswers(kind),
    security: [],
  };
}

const order =
  "An event comes at least once, with the same `id` in every attempt: skip what you have seen. Those of one record come in order; those of different records may overtake each other.";

const toActionLine = ([action, happened]: [string, string]) => `- \`${action}\`: ${happened}`;

function toBodyModel(kind: HookEvent, version: ApiVersion) {
  return defineModel(`${kind}EventBodyModel`, {
    action: choice(eventActionsOf(kind)).describe("what happened"),
    api_version: choice([version]).describe("the webhook's version, whose shape data has"),
    data: eventModels[kind],
    id: uuid().describe("the event's id, the same in every attempt and replay"),
    previous: absentable(
      nullable(toPreviousModel(kind, version)).describe(
        "of a webhook with include_previous: the fields of data that the change altered, as they were before; null of a new record and of what no change made",
      ),
    ),
    tenant_id: id().describe("whose record it is"),
    timestamp: timestamp().describe("when it happened, UTC"),
    type: choice([kind]).describe("the kind of event"),
  });
}

function toPreviousModel(kind: HookEvent, version: ApiVersion) {
  return defineModel(`${kind}PreviousModel`, mapShape(modelAt(eventModels[kind], version).shape, absentable));
}

/** The body that a sample of the kind has, as `hooks trigger --sample` sends it. */
function toSample(kind: HookEvent, action: string, version: ApiVersion): unknown {
  const model = eventModels[kind];
  const event = { action, createdOn: sampleMoment, kind, uuid: sampleUuid };
  return JSON.parse(toBodyAt(event, sampleId, version, toJson(model, sampleRecord(model), version)));
}

/** An answer that a receiver may give, and what the service does then. */
interface WebhookAnswer {
  description: string;
  headers?: Record<string, Header>;
}

/** What answers of a receiver mean, by status; a ping is never repeated. */
function toReceiverAnswers(kind: HookEvent): Record<string, WebhookAnswer> {
  if (kind === "Ping") return { "2XX": taken, default: { description: "The ping has failed." } };
  const busy = busyStatuses.map((status) => [status, { description: busyText, headers: retryAfter }]);
  return {
    "2XX": taken,
    "3XX": { description: `Redirects are not followed. ${failure}` },
    "410": {
      description:
        "No more is wanted: the webhook is deactivated, and what it was still to be sent is cancelled.",
    },
    ...Object.fromEntries(busy),
    default: { description: failure, headers: retryAfter },
  };
}

const taken: WebhookAnswer = {
  description: `The event was taken. Answer within ${toWords(answerMsMax)} and work on it afterwards; nothing of the answer is read but for the log of attempts.`,
};

const failure = `A failure, as is no answer within ${toWords(answerMsMax)}: the event comes again after ${retryWaitsMs.map(toWords).join(", ")}, each ± ${jitter * 100} %, and is given up after attempt ${retryWaitsMs.length + 1}; later events of the same record wait. A webhook that did nothing but fail for ${toWords(failingMsMax)} and ${failedMessagesMin} events is deactivated.`;

const busyText = `The receiver is busy: a failure, after which the wait is ${toWords(busyWaitMs)} at least.`;

const retryAfter: Record<string, Header> = {
  "retry-after": {
    description: `Seconds or a date (RFC 9110): the event does not come again before that; at most ${toWords(retryAfterMsMax)} are honoured.`,
    schema: { type: "string" },
  },
};

/** 7,200,000 ms is "2 h"; only several days are told in days. */
function toWords(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours > 24) return `${hours / 24} days`;
  if (hours >= 1) return `${hours} h`;
  return ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
