import type * as z from "zod";
import { CustomerModel, DispatchCustomerLocationModel } from "./customer.ts";
import { type HookEvent, hookEvents, type Subscription, subscriptions } from "./event-kinds.ts";
import {
  boolean,
  choice,
  defineField,
  id,
  readText,
  recordFilter,
  refuse,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { JobModel } from "./job.ts";
import { defineModel, type FilterValues, nullable, optional, type Shape } from "./model.ts";
import { oneOf } from "./one-of.ts";
import { defineList } from "./page.ts";
import { TruckModel } from "./truck.ts";

/** The data of a ping is the called webhook. */
const PingEventModel = defineModel("PingEventModel", { id: id().describe("webhook identifier") });

/** The record at the time of the event. */
export const eventModels = {
  Customer: CustomerModel,
  CustomerLocation: DispatchCustomerLocationModel,
  Job: JobModel,
  Ping: PingEventModel,
  Truck: TruckModel,
} satisfies Readonly<Record<HookEvent, z.ZodObject<Shape>>>;

/** Of events and bodies, for a program that must recognize its own changes. */
export const EventCauseModel = defineModel("EventCauseModel", {
  idempotency_key: nullable(text(1, 255).describe("the Idempotency-Key of the request")),
  request_id: uuid().describe("the x-request-id of the request"),
  token_id: nullable(id().describe("the token of the request; null for a local command")),
  user_id: id().describe("the user who made the request"),
});

export type EventCause = z.output<typeof EventCauseModel>;

export const EventModel = defineModel("EventModel", {
  action: text(1, 64).describe("created, updated, deleted, dispatched and the like"),
  cause: nullable(EventCauseModel).describe(
    "the request that made the change; null for an event without a change",
  ),
  created_on: timestamp("past").describe("when it happened"),
  data: oneOf(Object.values(eventModels)).describe("the record after the change"),
  id: uuid().describe("the same id as in deliveries of the event"),
  record_id: id().describe("the changed record; for a CustomerLocation its customer"),
  trace_id: nullable(text(32, 32).describe("the trace of the request that caused it (W3C Trace Context)")),
  trace_state: nullable(text(1, 512).describe("the `tracestate` of that trace")),
  type: choice(hookEvents).describe("the kind of the changed record"),
});

export const EventListModel = defineList("EventListModel", EventModel);

export const eventFilters = {
  after: optional(uuid().describe("written after the event with this id, to continue reading the log")),
  record: optional(recordFilter(hookEvents).describe("a record's id, its kind, or both")),
  since: optional(timestamp("past").describe("happened on or after")),
  type: optional(choice(hookEvents).describe("only events of this kind")),
};

/** As of a webhook, for the stream. */
export const streamFilters = {
  events: optional(
    subscriptionNames().describe("only these events: kinds, or actions like Job:completed, comma-separated"),
  ),
  include_cause: optional(boolean().describe("true: bodies name the request that made the change in cause")),
  include_previous: optional(boolean().describe("true: bodies have the former values in previous")),
};

function subscriptionNames() {
  const schema = { type: "string", examples: ["Job,Truck:created"] };
  return defineField<string>({ name: "text", input: schema, output: schema }, (sent) =>
    readText(sent, (value) => {
      const unknown = value.split(",").find((name) => !subscriptions.includes(name as Subscription));
      return unknown === undefined
        ? null
        : refuse("invalid_choice", `must be kinds or actions of events, comma-separated, not "${unknown}"`);
    }),
  );
}

export type StreamFilters = z.output<z.ZodObject<typeof streamFilters>>;

export type EventFilters = FilterValues<typeof eventFilters>;
