import { toEpochMs } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { Endpoint } from "../store/queries/backlog.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { DeliveryService } from "./delivery-service.ts";

/** A claimed delivery, and the moment by `performance.now` before which its attempt does not begin. */
export interface PacedDelivery {
  due: DueDelivery;
  notBeforeMs: number;
}

/** What a claim took: what has a place in time, and what is too much for now and to be released. */
interface Spaced {
  placed: PacedDelivery[];
  tooMuch: DueDelivery[];
}

/** Gives deliveries that were claimed their places in time. */
export interface Pace {
  /** How many of so many deliveries a claim may take: what a capped webhook is sent in a second. */
  limit(wanted: number): number;
  /** A webhook that was not known to be capped gave more than that: to wait for all would outlast their lease. */
  space(claimed: readonly DueDelivery[]): Promise<Spaced>;
}

/**
 * Makes the pace of a webhook. Under a cap (OP-289) attempts begin at equal distances, and the store keeps up to when there
 * is one, so that the workers of all processes stay below the cap together.
 */
export function createPace(
  { clock, store }: Pick<DeliveryService, "clock" | "store">,
  { tenantId, hookId }: Endpoint,
): Pace {
  let rateLimit: number | null = null;
  return {
    limit: (wanted) => (rateLimit === null ? wanted : Math.min(wanted, rateLimit)),
    async space(claimed) {
      rateLimit = claimed.at(-1)?.hook.rateLimit ?? null;
      if (rateLimit === null) return { placed: claimed.map((due) => ({ due, notBeforeMs: 0 })), tooMuch: [] };
      const taken = claimed.slice(0, rateLimit);
      const intervalMs = 1000 / rateLimit;
      const nowMs = toEpochMs(clock.now());
      const wanted = { count: taken.length, intervalMs, nowMs };
      const { hooks } = store.direct({ tenantId, rowScopes: wholeTenant });
      const firstMs = performance.now() + (await hooks.takePlaces(hookId, wanted)) - nowMs;
      const placed = taken.map((due, index) => ({ due, notBeforeMs: firstMs + index * intervalMs }));
      return { placed, tooMuch: claimed.slice(rateLimit) };
    },
  };
}
