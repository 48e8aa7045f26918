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

/**
 * HMAC key: Base64 text of 11 to 270 characters, white space around it accepted and kept. In the form of Standard
 * Webhooks it is read without its `whsec_` and what is around it.
 */
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

/** A key as libraries of Standard Webhooks take it: `whsec_` and its bytes as Base64. */
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

/** With the white space around it, which is kept. */
const paddedSecretMax = 512;

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

const eventList = (min: number) =>
  list(choice(subscriptions), { min, max: subscriptionsMax, distinct: true }).describe(
    "the events to deliver: kinds, or actions of a kind like Job:completed",
  );

const optionalFields = {
  description: optional(text(0, 256).describe("what it is for, in words")),
  headers: optional(
    ownHeaders().describe("own headers of each delivery, by name; who is no Admin is not shown the values"),
  ),
  rate_limit: optional(
    integer(1, 1000).describe("the most attempts that begin in a second; unlimited when absent"),
  ),
};

const version = choice(apiVersions).describe("version of the delivered bodies (default 2019/02/08)");
const includePrevious = boolean().describe(
  "true: bodies have the values before the change, in previous (default false)",
);
const secret = base64Secret().describe(
  "signing key, Base64, also with whsec_ before it; one is made when absent",
);

const callbackUrl = httpUrl().meta({ description: "callback URL", flag: "callback-url" });

export const CreateWebhookModel = defineModel("CreateWebhookModel", {
  ...optionalFields,
  api_version: optional(version),
  events: eventList(1),
  include_previous: optional(includePrevious),
  secret: optional(secret),
  url: callbackUrl,
});

export const UpdateWebhookModel = defineModel("UpdateWebhookModel", {
  ...optionalFields,
  api_version: resettable(version, defaultVersion),
  events: replaceable(eventList(0)),
  include_previous: resettable(includePrevious, false),
  secret: replaceable(secret),
  url: replaceable(callbackUrl),
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

/** The fields beyond the interface's seven are marked, and shown at every version. */
export const WebhookModel = defineModel("WebhookModel", {
  api_version: choice(apiVersions).meta(extension),
  deleted_at: nullable(timestamp().describe("deactivation time")),
  deleted_reason: nullable(
    text(0, 256).describe("why it was deactivated, when nobody asked for it").meta(extension),
  ),
  description: nullable(text(0, 256).describe("what it is for, in words").meta(extension)),
  events: list(choice(hookEvents)).describe(
    "the kinds of events that it is sent, all or some of their actions",
  ),
  headers: nullable(
    ownHeaders()
      .describe(`own headers of each delivery; ${hiddenValue} in place of values for who is no Admin`)
      .meta(extension),
  ),
  id: id().describe("webhook identifier"),
  include_previous: boolean()
    .describe("bodies have the values before the change, in previous")
    .meta(extension),
  last_http_fail: nullable(timestamp().describe("time of the last failed delivery")),
  last_http_success: nullable(timestamp().describe("time of the last successful delivery")),
  old_secret_until: nullable(
    timestamp().meta({
      description: "until then deliveries are signed with the secret before the last rotation too",
      ...extension,
    }),
  ),
  rate_limit: nullable(integer(1, 1000).describe("the most attempts that begin in a second").meta(extension)),
  secret: nullable(base64Secret().describe("signing key; shown at creation and to Admins")),
  standard_secret: nullable(
    standardSecret()
      .describe("the same key as libraries of Standard Webhooks take it, with whsec_ before it")
      .meta(extension),
  ),
  subscriptions: list(choice(subscriptions))
    .describe("what it is sent exactly: kinds, and actions of a kind")
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
