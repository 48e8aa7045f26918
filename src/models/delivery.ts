import * as z from "zod";
import { hookEvents } from "./event-kinds.ts";
import { choice, id, integer, number, text, timestamp, uuid } from "./fields.ts";
import { defineModel, type FilterValues, list, nullable, optional } from "./model.ts";
import { defineList } from "./page.ts";

/** What can become of a delivery. */
export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;

// An object, because readers expect headers as one; their names are not known beforehand.
const headers = () => z.record(z.string(), z.string());

/** 16 KiB, of which each byte may be a character of its own. */
const loggedText = () => text(0, 16 * 1024);

const DeliveryRequestModel = defineModel("DeliveryRequestModel", {
  body: nullable(loggedText().describe("the body as it was sent, to 16 KiB")),
  headers: headers(),
  url: text(0, 2048),
});

const DeliveryResponseModel = defineModel("DeliveryResponseModel", {
  body: nullable(loggedText().describe("the body as it came, to 16 KiB")),
  headers: headers(),
  status: integer(100, 599),
});

const attemptFields = {
  duration_ms: nullable(number(0).describe("how long the attempt took, in milliseconds")),
  http_status: nullable(integer(-1, 599).describe("status of the callback, -1 when there was none")),
  message: nullable(text(0, 4096).describe("what happened, in words")),
  request: nullable(DeliveryRequestModel),
  response: nullable(DeliveryResponseModel),
};

const DeliveryAttemptModel = defineModel("DeliveryAttemptModel", {
  ...attemptFields,
  attempt: integer(1).describe("number of the attempt"),
  started_on: timestamp("past"),
});

/** A delivery with what came of its last attempt; all attempts when it is asked for alone. */
export const DeliveryModel = defineModel("DeliveryModel", {
  ...attemptFields,
  action: text(1, 64).describe("what happened to the record"),
  attempt: integer(0).describe("attempts made"),
  attempts: nullable(list(DeliveryAttemptModel).describe("all attempts, the first first; null in lists")),
  created_on: timestamp("past"),
  delivery_id: uuid(),
  event: choice(hookEvents).describe("kind of the event"),
  event_id: uuid().describe("the event's id, the same in every delivery of it"),
  finished_on: nullable(timestamp("past").describe("when it was delivered or given up")),
  hook_id: id(),
  next_attempt_on: nullable(
    timestamp().describe("when it is tried; null also while it waits for an earlier one of its record"),
  ),
  record_id: id().describe("the record that the event is about"),
  status: choice(deliveryStatuses).describe(
    "pending: to be tried; delivered: answered with 2xx; failed: given up; cancelled: the webhook was deactivated",
  ),
});

export const DeliveryListModel = defineList("DeliveryListModel", DeliveryModel);

/** The filters of deliveries.list. */
export const deliveryFilters = {
  event: optional(choice(hookEvents).describe("only deliveries of this kind of event")),
  since: optional(timestamp().describe("only deliveries made at this moment or later")),
  status: optional(choice(deliveryStatuses).describe("only deliveries in this state")),
};

export type DeliveryFilters = FilterValues<typeof deliveryFilters>;

export const ReplayDeliveriesModel = defineModel(
  "ReplayDeliveriesModel",
  {
    delivery_id: optional(uuid().describe("send the event of this delivery once more")),
    failed_since: optional(
      timestamp("past").describe("send every event whose last delivery was given up since then"),
    ),
  },
  { minProperties: 1 },
);

export const ReplayResultModel = defineModel("ReplayResultModel", {
  count: integer(0).describe("how many deliveries were made of it"),
});
