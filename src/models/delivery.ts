import * as z from "zod";
import { hookEvents } from "./event-kinds.ts";
import { boolean, choice, id, integer, number, text, timestamp, uuid } from "./fields.ts";
import { defineModel, type FilterValues, list, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";

export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;

const headers = () => z.record(z.string(), z.string());

/** 16 KiB: each byte may be one character. */
const loggedText = () => text(0, 16 * 1024);

const DeliveryRequestModel = defineModel("DeliveryRequestModel", {
  body: nullable(loggedText().describe("the sent body, up to 16 KiB")),
  headers: headers().describe("the sent headers by name"),
  url: text(0, 2048).describe("the callback URL at the time of the attempt"),
});

const DeliveryResponseModel = defineModel("DeliveryResponseModel", {
  body: nullable(loggedText().describe("the received body, up to 16 KiB")),
  headers: headers().describe("the received headers by name"),
  status: integer(100, 599).describe("the received HTTP status"),
});

const attemptFields = {
  duration_ms: nullable(number(0).describe("duration of the attempt in milliseconds")),
  http_status: nullable(integer(-1, 599).describe("status of the callback; -1 without an answer")),
  message: nullable(text(0, 4096).describe("the result in words")),
  request: nullable(DeliveryRequestModel).describe("the request to the receiver; null if none was sent"),
  response: nullable(DeliveryResponseModel).describe("the answer of the receiver; null without one"),
};

const DeliveryAttemptModel = defineModel("DeliveryAttemptModel", {
  ...attemptFields,
  attempt: integer(1).describe("number of the attempt"),
  started_on: timestamp("past"),
});

/** Has its last attempt. deliveries.get has all attempts. */
export const DeliveryModel = defineModel("DeliveryModel", {
  ...attemptFields,
  action: text(1, 64).describe("what happened to the record"),
  attempt: integer(0).describe("attempts made"),
  attempts: nullable(list(DeliveryAttemptModel).describe("all attempts, oldest first; null in lists")),
  created_on: timestamp("past"),
  delivery_id: uuid().describe("identifies the delivery; the same in all its attempts"),
  event: choice(hookEvents).describe("kind of the event"),
  event_id: uuid().describe("the event's id, the same in every delivery of it"),
  finished_on: nullable(timestamp("past").describe("when it was delivered or given up")),
  hook_id: id().describe("the webhook that receives it"),
  is_replay: boolean().describe("true for a replay"),
  next_attempt_on: nullable(
    timestamp().describe(
      "when the next attempt is due; also null while it waits for an earlier delivery of its record",
    ),
  ),
  record_id: id().describe("the record that the event is about"),
  status: choice(deliveryStatuses).describe(
    "pending: not finished; delivered: answered with 2xx; failed: given up; cancelled: the webhook was deactivated",
  ),
});

export const DeliveryListModel = defineList("DeliveryListModel", DeliveryModel);

export const deliveryFilters = {
  event: optional(choice(hookEvents).describe("only deliveries of this kind of event")),
  since: optional(timestamp().describe("only deliveries made at this moment or later")),
  status: optional(choice(deliveryStatuses).describe("only deliveries in this state")),
};

export type DeliveryFilters = FilterValues<typeof deliveryFilters>;

export const ReplayDeliveriesModel = defineModel(
  "ReplayDeliveriesModel",
  {
    delivery_id: optional(uuid().describe("send the event of this delivery again, or a pending one now")),
    failed_since: optional(
      timestamp("past").describe("send every event whose last delivery has failed since then"),
    ),
  },
  { minProperties: 1 },
);

export const ReplayWebhookModel = defineModel("ReplayWebhookModel", {
  delivered: optional(boolean().describe("true: also successful ones (default false)")),
  from: timestamp("past").describe("events that happened then or later"),
  to: optional(timestamp("past").describe("events that happened before then (default now)")),
});

export const ReplayResultModel = defineModel("ReplayResultModel", {
  count: integer(0).describe("number of deliveries to send"),
});
