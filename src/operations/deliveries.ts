import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { failure } from "../errors/errors.ts";
import {
  DeliveryListModel,
  DeliveryModel,
  deliveryFilters,
  ReplayDeliveriesModel,
  ReplayResultModel,
} from "../models/delivery.ts";
import { id, uuid } from "../models/fields.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import type { LoggedDelivery } from "../store/queries/deliveries.ts";
import type { Hook } from "../store/queries/hooks.ts";
import { found, requireHook } from "./records.ts";

export const getDelivery = defineOperation({
  name: "deliveries.get",
  summary: "Show a delivery with each attempt: request, answer, and what happened",
  route: "GET /hooks/{hook_id}/deliveries/{delivery_id}",
  params: { hook_id: id(), delivery_id: uuid() },
  output: DeliveryModel,
  allow: ["Admin", "Dispatcher"],
  extension: true,
  async run({ store }, { params }) {
    const hook = await requireHook({ store }, params.hook_id);
    const delivery = await store.deliveries.find(hook.id, params.delivery_id);
    return toDeliveryAnswer(found(delivery, "delivery", params.delivery_id), true);
  },
});

export const listDeliveries = defineOperation({
  name: "deliveries.list",
  summary: "List the deliveries of a webhook, newest first",
  route: "GET /hooks/{hook_id}/deliveries",
  params: { hook_id: id() },
  query: { ...paging, ...deliveryFilters },
  output: DeliveryListModel,
  allow: ["Admin", "Dispatcher"],
  reads: { listing: { idFields: ["delivery_id"] } },
  extension: true,
  async run({ store }, { params, query }) {
    const hook = await requireHook({ store }, params.hook_id);
    const wanted = toPaging(query);
    const page = await store.deliveries.page(hook.id, query, wanted);
    return toList({ ...page, rows: page.rows.map((row) => toDeliveryAnswer(row, false)) }, wanted);
  },
});

export const replayDeliveries = defineOperation({
  name: "deliveries.replay",
  summary: "Send an event again, or all events whose deliveries failed since a time",
  description: "A pending delivery gets its next attempt at once, instead of a new delivery.",
  route: "POST /hooks/{hook_id}/deliveries/replay",
  params: { hook_id: id() },
  body: ReplayDeliveriesModel,
  output: ReplayResultModel,
  allow: ["Admin", "Dispatcher"],
  changes: { writes: "alone" },
  extension: true,
  async run(context, { params, body: { delivery_id, failed_since } }) {
    const { store } = context;
    const hook = await requireHook({ store }, params.hook_id);
    if (hook.deleted_at !== null) {
      throw failure(
        "state_conflict",
        `Webhook ${hook.id} was deactivated on ${hook.deleted_at}; enable it first.`,
      );
    }
    if (delivery_id && failed_since) {
      const field = "ReplayDeliveriesModel.failed_since";
      throw failure("invalid_choice", `${field}: give either this or delivery_id, not both.`, field);
    }
    if (delivery_id) return { count: await replayOne(context, hook, delivery_id) };
    if (failed_since) return { count: await replayFailed(context, hook, failed_since) };
    const field = "ReplayDeliveriesModel.delivery_id";
    throw failure("missing_value", `${field} or failed_since is required.`, field);
  },
});

/** The same event id, with a new delivery id and new attempts; a pending delivery only skips its pause. */
async function replayOne(
  { now, service, store, changed }: Context,
  hook: Hook,
  deliveryId: string,
): Promise<number> {
  const delivery = found(await store.deliveries.find(hook.id, deliveryId), "delivery", deliveryId);
  const isPending = delivery.status === "pending";
  if (isPending && delivery.next_attempt_on === null) {
    throw failure(
      "state_conflict",
      `Delivery ${delivery.uuid} is under way, or waits for an earlier delivery of its record.`,
    );
  }
  // Otherwise the second of two simultaneous retries would send the event again.
  if (delivery.finished_on !== null && delivery.finished_on > now) {
    throw failure("state_conflict", `Delivery ${delivery.uuid} ended while the request waited.`);
  }
  const count = isPending
    ? await store.deliveries.retryNow(delivery.id, now)
    : await store.deliveries.replay(delivery.hook_id, delivery.id, service.makeUuid(), now);
  if (count === 0 && !isPending)
    throw failure("state_conflict", `Delivery ${delivery.uuid} is being sent again already.`);
  changed({ type: "Delivery", action: "replayed", id: delivery.id, before: null, after: { count } });
  return count;
}

async function replayFailed(
  { now, service, store, changed }: Context,
  hook: Hook,
  failedSince: string,
): Promise<number> {
  const count = await store.deliveries.replayFailed(hook.id, failedSince, service.makeUuid(), now);
  const after = { count, failed_since: failedSince };
  if (count > 0) changed({ type: "Webhook", action: "replayed", id: hook.id, before: null, after });
  return count;
}

/** Only deliveries.get shows all attempts. */
function toDeliveryAnswer(delivery: LoggedDelivery, showsAttempts: boolean) {
  const { uuid, event_uuid, kind, attempts, ...rest } = delivery;
  const last = attempts.at(-1);
  return {
    ...rest,
    attempts: showsAttempts ? attempts : null,
    delivery_id: uuid,
    duration_ms: last?.duration_ms ?? null,
    event: kind,
    event_id: event_uuid,
    request: last?.request ?? null,
    response: last?.response ?? null,
  };
}
