import { apiVersions, defaultVersion } from "./api-versions.ts";
import { hookEvents, subscriptions, subscriptionsMax } from "./event-kinds.ts";
import {
  boolean,
  checkLength,
  choice,
  defineField,
  httpUrl,
  id,
  integer,
  number,
  readText,
  refuse,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { defineModel, extension, list, nullable, optional, replaceable, resettable } from "./model.ts";
import { hiddenValue, ownHeaders } from "./own-headers.ts";
import { defineList } from "./page.ts";

/** Base64 of 11 to 270 characters; keeps white space around it. Also accepts Standard Webhooks' `whsec_` form. */
function base64Secret() {
  const schema = {
    type: "string",
    contentEncoding: "base64",
    maxLength: paddedSecretMax,
    examples: ["c2VjcmV0LWtleS0xMjM0NTY="],
  };
  return defineField<string>({ name: "text", input: schema, output: schema, isSecret: true }, (sent) => {
    const value = typeof sent === "string" && standardSecretPattern.test(sent) ? toBase64Form(sent) : sent;
    return readText(value, (value) => {
      const length = checkLength(value, 0, paddedSecretMax);
      if (length) return length;
      const core = value.trim();
      if (core.length < 11)
        return refuse("too_short", `must have 11 to 270 characters of Base64 text, not ${core.length}`);
      if (core.length > 270)
        return refuse("too_long", `must have 11 to 270 characters of Base64 text, not ${core.length}`);
      return base64Pattern.test(core) ? null : refuse("invalid_format", "must be Base64 text");
    });
  });
}

const standardSecretPattern = /^\s*whsec_/;

const toBase64Form = (secret: string) => secret.replace(standardSecretPattern, "").trim();

/** `whsec_` and the key's bytes as Base64, for libraries of Standard Webhooks. */
function standardSecret() {
  const schema = {
    type: "string",
    maxLength: 280,
    pattern: "^whsec_",
    examples: ["whsec_c2VjcmV0LWtleS0xMjM0NTY="],
  };
  return defineField<string>({ name: "text", input: schema, output: schema, isSecret: true }, (value) =>
    readText(value, () => null),
  );
}

/** Includes white space around the secret, which is kept. */
const paddedSecretMax = 512;

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

const eventList = (min: number) =>
  list(choice(subscriptions), { min, max: subscriptionsMax, distinct: true }).describe(
    "the events to deliver: kinds, or actions of a kind like Job:completed",
  );

const optionalFields = {
  description: optional(text(0, 256).describe("the purpose in words")),
  headers: optional(
    ownHeaders().describe("extra headers of each delivery, by name; only Admins see the values"),
  ),
  rate_limit: optional(integer(1, 1000).describe("maximum attempts per second (default unlimited)")),
};

const version = choice(apiVersions).describe("version of the delivered bodies (default 2019/02/08)");
const includePrevious = boolean().describe("true: bodies have the former values in previous (default false)");
const includeCause = boolean().describe(
  "true: bodies name the request, token, user, and Idempotency-Key in cause (default false)",
);
const secret = base64Secret().describe("signing key, Base64, also with whsec_ before it (default generated)");

const callbackUrl = httpUrl().meta({ description: "URL that receives the deliveries", flag: "callback-url" });

export const CreateWebhookModel = defineModel("CreateWebhookModel", {
  ...optionalFields,
  api_version: optional(version),
  events: eventList(1),
  include_cause: optional(includeCause),
  include_previous: optional(includePrevious),
  secret: optional(secret),
  url: callbackUrl,
});

export const UpdateWebhookModel = defineModel("UpdateWebhookModel", {
  ...optionalFields,
  api_version: resettable(version, defaultVersion),
  events: replaceable(eventList(0)),
  include_cause: resettable(includeCause, false),
  include_previous: resettable(includePrevious, false),
  secret: replaceable(secret),
  url: replaceable(callbackUrl),
});

export const RotateWebhookSecretModel = defineModel("RotateWebhookSecretModel", {
  overlap_hours: optional(
    integer(0, 168).describe("hours in which the old secret also signs deliveries (default 24)"),
  ),
});

export const EnableWebhookModel = defineModel("EnableWebhookModel", {
  backlog: optional(
    choice(["skip", "send"]).describe(
      "send or skip deliveries that were pending at the deactivation (default skip)",
    ),
  ),
});

/** Events that can be built from a record. */
export const recordEvents = ["Customer", "CustomerLocation", "Job", "Truck"] as const;

/** The record and the action of an event without a change. */
export const eventRecordFields = {
  action: optional(text(1, 64).describe("the action of the event (default updated)")),
  location_id: optional(id().describe("the record's location; needed for CustomerLocation only")),
  record_id: optional(
    id().describe("the record, or the customer of a CustomerLocation; required without sample"),
  ),
  sample: optional(boolean().describe("true: a sample record with a value in every field")),
  type: choice(recordEvents).describe("kind of the event"),
};

export const TriggerWebhookModel = defineModel("TriggerWebhookModel", {
  ...eventRecordFields,
  api_version: optional(choice(apiVersions).describe("version of the body (default the webhook's own)")),
});

export const WebhookTriggerResultModel = defineModel("WebhookTriggerResultModel", {
  action: text(1, 64).describe("what happened to the record in the event"),
  api_version: choice(apiVersions).describe("API version of the sent body"),
  delivery_id: uuid().describe("identifies the delivery"),
  duration_ms: number(0).describe("duration of the attempt in milliseconds"),
  event_id: uuid().describe("identifies the event"),
  http_status: integer(-1, 599).describe("status of the callback; -1 without an answer"),
  message: text(0, 4096).describe("the result in words"),
  record_id: id().describe("the record of the event"),
  type: choice(recordEvents).describe("kind of the event"),
  url: httpUrl().describe("the URL that received it"),
});

/** Fields beyond the interface's seven are extensions, shown in every version. */
export const WebhookModel = defineModel("WebhookModel", {
  api_version: choice(apiVersions).describe("API version of the bodies it receives").meta(extension),
  deleted_at: nullable(timestamp().describe("deactivation time")),
  deleted_reason: nullable(
    text(0, 256).describe("why the service deactivated it; null when a user did").meta(extension),
  ),
  description: nullable(text(0, 256).describe("the purpose in words").meta(extension)),
  events: list(choice(hookEvents)).describe(
    "the kinds of events that it receives, with all or some of their actions",
  ),
  headers: nullable(
    ownHeaders()
      .describe(`extra headers of each delivery; ${hiddenValue} replaces the values except for Admins`)
      .meta(extension),
  ),
  id: id().describe("webhook identifier"),
  include_cause: boolean()
    .describe("bodies name the request, token, user, and Idempotency-Key in cause")
    .meta(extension),
  include_previous: boolean().describe("bodies have the former values in previous").meta(extension),
  last_http_fail: nullable(timestamp().describe("time of the last failed delivery")),
  last_http_success: nullable(timestamp().describe("time of the last successful delivery")),
  old_secret_until: nullable(
    timestamp().meta({
      description: "until then the former secret also signs deliveries",
      ...extension,
    }),
  ),
  rate_limit: nullable(integer(1, 1000).describe("maximum attempts per second").meta(extension)),
  secret: nullable(base64Secret().describe("signing key; shown at creation and to Admins")),
  standard_secret: nullable(
    standardSecret()
      .describe("the same key in the form of Standard Webhooks, with whsec_ before it")
      .meta(extension),
  ),
  subscriptions: list(choice(subscriptions))
    .describe("its exact subscriptions: kinds, and actions of a kind")
    .meta(extension),
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
