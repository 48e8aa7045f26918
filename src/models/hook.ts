import { apiVersions } from "./api-versions.ts";
import { hookEvents } from "./event-kinds.ts";
import {
  base64Secret,
  boolean,
  choice,
  httpUrl,
  id,
  integer,
  number,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { defineModel, list, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";

const hookEvent = choice(hookEvents);

const eventList = (min: number) =>
  list(hookEvent, { min, max: hookEvents.length, distinct: true }).describe("the events to deliver");

const optionalFields = {
  api_version: optional(choice(apiVersions).describe("version of the delivered bodies (default 2019/02/08)")),
  secret: optional(base64Secret().describe("signing key, Base64; one is made when absent")),
};

const callbackUrl = httpUrl().meta({ description: "callback URL", flag: "callback-url" });

export const CreateWebhookModel = defineModel("CreateWebhookModel", {
  ...optionalFields,
  events: eventList(1),
  url: callbackUrl,
});

export const UpdateWebhookModel = defineModel("UpdateWebhookModel", {
  ...optionalFields,
  events: optional(eventList(0)),
  url: optional(callbackUrl),
});

export const RotateWebhookSecretModel = defineModel("RotateWebhookSecretModel", {
  overlap_hours: optional(
    integer(0, 168).describe("for so long deliveries are signed with the old secret too (default 24)"),
  ),
});

export const EnableWebhookModel = defineModel("EnableWebhookModel", {
  backlog: optional(
    choice(["skip", "send"]).describe("send or skip what was pending when it was deactivated (default skip)"),
  ),
});

/** The kinds of events that can be made from a record as it is now. */
export const recordEvents = ["Customer", "CustomerLocation", "Job", "Truck"] as const;

/** The record and the action of an event that is made on request, without a change. */
export const eventRecordFields = {
  action: optional(text(1, 64).describe("what is said to have happened (default updated)")),
  location_id: optional(id().describe("the record's location; needed for CustomerLocation only")),
  record_id: optional(
    id().describe("the record; of a CustomerLocation the customer; required without sample"),
  ),
  sample: optional(boolean().describe("true: an invented record, with a value in every field")),
  type: choice(recordEvents).describe("kind of the event"),
};

export const TriggerWebhookModel = defineModel("TriggerWebhookModel", {
  ...eventRecordFields,
  api_version: optional(choice(apiVersions).describe("version of the body (default the webhook's own)")),
});

export const WebhookTriggerResultModel = defineModel("WebhookTriggerResultModel", {
  action: text(1, 64),
  api_version: choice(apiVersions),
  delivery_id: uuid(),
  duration_ms: number(0).describe("how long the attempt took, in milliseconds"),
  event_id: uuid(),
  http_status: integer(-1, 599).describe("status of the callback, -1 when there was none"),
  message: text(0, 4096).describe("what happened, in words"),
  record_id: id(),
  type: choice(recordEvents),
  url: httpUrl(),
});

export const WebhookModel = defineModel("WebhookModel", {
  api_version: choice(apiVersions),
  deleted_at: nullable(timestamp().describe("deactivation time")),
  deleted_reason: nullable(text(0, 256).describe("why it was deactivated, when nobody asked for it")),
  events: list(hookEvent),
  id: id().describe("webhook identifier"),
  last_http_fail: nullable(timestamp().describe("time of the last failed delivery")),
  last_http_success: nullable(timestamp().describe("time of the last successful delivery")),
  old_secret_until: nullable(
    timestamp().describe("until then deliveries are signed with the secret before the last rotation too"),
  ),
  secret: nullable(base64Secret().describe("signing key; shown at creation and to Admins")),
  url: httpUrl().describe("callback URL"),
});

export const WebhookListModel = defineList("WebhookListModel", WebhookModel);

export const WebhookPingResultModel = defineModel("WebhookPingResultModel", {
  delivery_id: uuid().describe("identifies the hook execution"),
  http_status: integer(-1, 599).describe(
    "status of the callback, or -1 when the call did not succeed or complete",
  ),
  message: text(0, 2048).describe("description of the ping result"),
});
