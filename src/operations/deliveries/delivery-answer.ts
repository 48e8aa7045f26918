import type { LoggedDelivery } from "../../store/queries/deliveries.ts";

/** A delivery as the interface shows it. It has all its attempts only when it is shown alone. */
export function toDeliveryAnswer(delivery: LoggedDelivery, showsAttempts: boolean) {
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
