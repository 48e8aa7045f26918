import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { Endpoint } from "../store/queries/backlog.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { DeliveryService } from "./delivery-service.ts";
import type { LeftWebhooks } from "./left-webhooks.ts";

/** Longer than an attempt of 15 s with the work before and after it. */
export const leaseMs = 45_000;
const attemptMsMax = 20_000;
const recentMsMax = 1000;

/** Claims deliveries of one webhook under a lease, and releases those that no attempt follows. */
export type Claimer = ReturnType<typeof createClaimer>;

interface ClaimerOptions {
  /** Claims only deliveries of events from this one on; 0 claims all. */
  firstEventId: number;
  /** null for a worker that leaves nothing to others. */
  left: LeftWebhooks | null;
  /** Returns a new name for each claim, which identifies a dead worker. */
  nameClaim(): Promise<string>;
  /** Aborted when the worker stops: it claims nothing from then on. */
  stopping: AbortSignal;
  onFault(error: unknown): void;
}

/** Makes the claimer of a webhook. It never rejects: it reports a fault of the store and returns no delivery. */
export function createClaimer(
  { clock, store }: DeliveryService,
  { tenantId, hookId }: Endpoint,
  { firstEventId, left, nameClaim, stopping, onFault }: ClaimerOptions,
) {
  const scope = { tenantId, rowScopes: wholeTenant };
  const pace = createPace({ clock, store }, { tenantId, hookId });
  let lease = toLease("1970-01-01T00:00:00.000000");
  // The deliveries of a claim share a lease and come one after the other.
  const leaseOf = ({ leasedUntil }: DueDelivery) => {
    if (lease.until !== leasedUntil) lease = toLease(leasedUntil);
    return lease;
  };
  /** Makes the delivery due again, or cancels all deliveries of a webhook that was deactivated since. */
  const release = async (due: DueDelivery): Promise<void> => {
    try {
      await store.writeRelaxed(scope, async ({ dueDeliveries, hooks }) => {
        // The webhook may have been enabled again since the delivery was read.
        const hook = await hooks.find(hookId);
        if (hook?.deleted_at === null) await dueDeliveries.release(due, clock.now());
        else await dueDeliveries.cancelPending(hookId, clock.now());
      });
    } catch (error) {
      onFault(error);
    }
  };
  // A clock that goes back does not extend a lease.
  let claimed = { until: "", sinceMs: 0 };
  const heldMs = ({ leasedUntil }: DueDelivery) =>
    leasedUntil === claimed.until ? performance.now() - claimed.sinceMs : 0;
  return {
    /** Claims at most this many due deliveries and spaces them in time. */
    async claim(limit: number): Promise<PacedDelivery[]> {
      if (stopping.aborted || left?.has(hookId)) return [];
      try {
        await clock.refresh();
        const leasedBy = await nameClaim();
        const now = clock.now();
        const leasedUntil = toTimestamp(toEpochMs(now) + leaseMs);
        const lease = { hookId, leasedBy, leasedUntil };
        claimed = { until: leasedUntil, sinceMs: performance.now() };
        const taken = await store.direct(scope).dueDeliveries.claim({
          ...lease,
          firstEventId,
          limit: pace.limit(limit),
          now,
        });
        // The webhook's key is new since the last check. Without deliveries its queue ends, and the next check skips
        // the webhook.
        const awaitsKey = taken.some(({ hook }) => hook.awaitsKey);
        const { placed, tooMuch } = awaitsKey ? { placed: [], tooMuch: taken } : await pace.space(taken);
        for (const due of tooMuch) await release(due);
        return placed;
      } catch (error) {
        onFault(error);
        return [];
      }
    },

    /** Whether the claim is so recent that the webhook need not be read again. */
    isRecent: (due: DueDelivery): boolean =>
      clock.now() < leaseOf(due).recentUntil && heldMs(due) < recentMsMax,

    /** Whether the rest of the lease is long enough for an attempt. */
    hasLeaseLeft: (due: DueDelivery): boolean =>
      clock.now() <= leaseOf(due).attemptUntil && heldMs(due) <= leaseMs - attemptMsMax,

    /**
     * Reads the delivery and its webhook again; undefined when the delivery was canceled or lost since the claim, and
     * when the store fails.
     */
    async readAgain(due: DueDelivery): Promise<DueDelivery | undefined> {
      try {
        return await store.direct(scope).dueDeliveries.readAgain(due);
      } catch (error) {
        onFault(error);
        return undefined;
      }
    },

    release,
  };
}

/** As text, because comparing texts is cheaper than parsing times. */
function toLease(until: Timestamp) {
  const untilMs = toEpochMs(until);
  return {
    until,
    /** Exclusive. */
    recentUntil: toTimestamp(untilMs - leaseMs + recentMsMax),
    /** Inclusive. */
    attemptUntil: toTimestamp(untilMs - attemptMsMax),
  };
}

/** A claimed delivery, and the earliest start of its attempt by `performance.now`. */
export interface PacedDelivery {
  due: DueDelivery;
  notBeforeMs: number;
}

/** `placed`: deliveries with the time of their attempt; `tooMuch`: claimed deliveries to release. */
interface Spaced {
  placed: PacedDelivery[];
  tooMuch: DueDelivery[];
}

interface Pace {
  /**
   * The number of deliveries that a claim may take: for a webhook with a rate limit, as many as it gets in one
   * second.
   */
  limit(wanted: number): number;
  /**
   * Releases deliveries that were claimed before the webhook's rate limit was known: the lease would end before all
   * of them are sent.
   */
  space(claimed: readonly DueDelivery[]): Promise<Spaced>;
}

/**
 * Spaces the attempts of a webhook. With a rate limit, attempts start at equal intervals. The store keeps the time of
 * the last one, so all processes together stay below the limit.
 */
function createPace(
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
