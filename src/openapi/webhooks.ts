import type { ApiVersion } from "../models/api-versions.ts";
import { EventCauseModel, eventModels } from "../models/event.ts";
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

export interface WebhookEntry {
  post: {
    operationId: string;
    tags: string[];
    summary: string;
    description: string;
    parameters: (Parameter | Ref)[];
    requestBody: { required: true; description: string; content: { "application/json": WebhookContent } };
    responses: Record<string, WebhookAnswer>;
    /** Receivers verify signatures instead of a token. */
    security: [];
  };
}

interface WebhookContent {
  schema: JsonSchema;
  examples: Record<string, { summary: string; value: unknown }>;
}

export function toEventBodyModels(version: ApiVersion): EventBodyModels {
  return Object.fromEntries(hookEvents.map((kind) => [kind, toBodyModel(kind, version)])) as EventBodyModels;
}

type EventBodyModels = Record<HookEvent, ReturnType<typeof toBodyModel>>;

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
      `Sent to webhooks that subscribe to \`${kind}\`. Values of \`action\`:`,
      Object.entries(actions).map(toActionLine).join("\n"),
      kind === "Ping" ? "The service does not retry a ping." : order,
      "Verify one of the two signatures over the raw bytes of the body. The key is the decoded Base64 text of the webhook's secret.",
    ].join("\n\n"),
    parameters: toDeliveryHeaders(kind),
    requestBody: {
      required: true,
      description: `The event; \`data\` is ${data}, in the form of ${version}.`,
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
  "The service delivers an event at least once, with the same `id` in every attempt: skip known ids. The events of one record arrive in order; events of different records may not.";

const toActionLine = ([action, happened]: [string, string]) => `- \`${action}\`: ${happened}`;

function toBodyModel(kind: HookEvent, version: ApiVersion) {
  return defineModel(`${kind}EventBodyModel`, {
    action: choice(eventActionsOf(kind)).describe("what happened to the record"),
    api_version: choice([version]).describe("the webhook's version, which determines the form of data"),
    cause: absentable(
      nullable(EventCauseModel).describe(
        "the request that made the change, for a webhook with include_cause; null for an event without a change",
      ),
    ),
    data: eventModels[kind].describe(eventKinds[kind].data),
    id: uuid().describe("the event's id, the same in every attempt and replay"),
    previous: absentable(
      nullable(toPreviousModel(kind, version)).describe(
        "the old values of the changed fields of data, for a webhook with include_previous; null for a new record or an event without a change",
      ),
    ),
    tenant_id: id().describe("the tenant of the record"),
    timestamp: timestamp().describe("the time of the event, UTC"),
    type: choice([kind]).describe("the kind of event"),
  });
}

function toPreviousModel(kind: HookEvent, version: ApiVersion) {
  return defineModel(`${kind}PreviousModel`, mapShape(modelAt(eventModels[kind], version).shape, absentable));
}

/** The body of `hooks trigger --sample`. */
function toSample(kind: HookEvent, action: string, version: ApiVersion): unknown {
  const model = eventModels[kind];
  const event = { action, createdOn: sampleMoment, kind, uuid: sampleUuid };
  return JSON.parse(toBodyAt(event, sampleId, version, toJson(model, sampleRecord(model), version)));
}

interface WebhookAnswer {
  description: string;
  headers?: Record<string, Header>;
}

/** The service never repeats a ping. */
function toReceiverAnswers(kind: HookEvent): Record<string, WebhookAnswer> {
  if (kind === "Ping") return { "2XX": taken, default: { description: "The ping failed." } };
  const busy = busyStatuses.map((status) => [status, { description: busyText, headers: retryAfter }]);
  return {
    "2XX": taken,
    "3XX": { description: `Redirects are not followed. ${failure}` },
    "410": {
      description:
        "The receiver does not want further events: the service deactivates the webhook and cancels its pending deliveries.",
    },
    ...Object.fromEntries(busy),
    default: { description: failure, headers: retryAfter },
  };
}

const taken: WebhookAnswer = {
  description: `The receiver accepted the event. Respond within ${toWords(answerMsMax)} and process the event afterwards. The service only logs the response.`,
};

const failure = `A failure, like no response within ${toWords(answerMsMax)}. The service retries after ${retryWaitsMs.map(toWords).join(", ")}, each ± ${jitter * 100} %, and gives up after attempt ${retryWaitsMs.length + 1}. Later events of the same record wait. It deactivates a webhook whose deliveries all failed for ${toWords(failingMsMax)} and ${failedMessagesMin} events.`;

const busyText = `The receiver is busy: a failure, with a retry after at least ${toWords(busyWaitMs)}.`;

const retryAfter: Record<string, Header> = {
  "retry-after": {
    description: `Seconds or a date (RFC 9110) before which the service does not retry; at most ${toWords(retryAfterMsMax)}.`,
    schema: { type: "string" },
  },
};

/** 7,200,000 ms is "2 h"; 86,400,000 ms is "24 h", not "1 days". */
function toWords(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours > 24) return `${hours / 24} days`;
  if (hours >= 1) return `${hours} h`;
  return ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
