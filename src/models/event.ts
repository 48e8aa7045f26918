import type * as z from "zod";
import { CustomerModel, DispatchCustomerLocationModel } from "./customer.ts";
import { type HookEvent, hookEvents } from "./event-kinds.ts";
import { choice, id, recordFilter, text, timestamp, uuid } from "./fields.ts";
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

export const EventModel = defineModel("EventModel", {
  action: text(1, 64).describe("created, updated, deleted, dispatched and the like"),
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

export type EventFilters = FilterValues<typeof eventFilters>;
