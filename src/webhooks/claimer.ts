import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { Endpoint } from "../store/queries/backlog.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { DeliveryService } from "./delivery-service.ts";
import type { LeftWebhooks } from "./left-webhooks.ts";

/** Longer than an attempt (15 s) with the work before and after it. */
export const leaseMs = 45_000;
const attemptMsMax = 20_000;
const recentMsMax = 1000;

/** Claims deliveries of one webhook, and releases those without an attempt. */
export type Claimer = ReturnType<typeof createClaimer>;

interface ClaimerOptions {
  /** Skips deliveries of earlier events; 0 skips none. */
  firstEventId: number;
  /** null for a worker that leaves no webhook to others. */
  left: LeftWebhooks | null;
  /** Each claim gets a new name, which identifies a dead worker. */
  nameClaim(): Promise<string>;
  /** Aborted when the worker stops. */
  stopping: AbortSignal;
  onFault(error: unknown): void;
}

/** Never rejects: a fault of the store goes to `onFault`, and no delivery is returned. */
export function createClaimer(
  { clock, store }: DeliveryService,
  { tenantId, hookId }: Endpoint,
  { firstEventId, left, nameClaim, stopping, onFault }: ClaimerOptions,
) {
  const scope = { tenantId, rowScopes: wholeTenant };
  const pace = createPace({ clock, store }, { tenantId, hookId });
  let lease = toLease("1970-01-01T00:00:00.000000");
  // Caches the last lease: the deliveries of a claim share it.
  const leaseOf = ({ leasedUntil }: DueDelivery) => {
    if (lease.until !== leasedUntil) lease = toLease(leasedUntil);
    return lease;
  };
  /** Makes the delivery due again, or cancels all deliveries of a deactivated webhook. */
  const release = async (due: DueDelivery): Promise<void> => {
    try {
      await store.writeRelaxed(scope, async ({ dueDeliveries, hooks }) => {
        // A user may have enabled the webhook again since the delivery was read.
        const hook = await hooks.find(hookId);
        if (hook?.deleted_at === null) await dueDeliveries.release(due, clock.now());
        else await dueDeliveries.cancelPending(hookId, clock.now());
      });
    } catch (error) {
      onFault(error);
    }
  };
  // A monotonic clock: a wall clock that goes back must not extend the lease.
  let claimed = { until: "", sinceMs: 0 };
  const heldMs = ({ leasedUntil }: DueDelivery) =>
    leasedUntil === claimed.until ? performance.now() - claimed.sinceMs : 0;
  return {
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
        // The webhook's key is newer than the last check. Without deliveries its queue ends, and the next check skips
        // it.
        const awaitsKey = taken.some(({ hook }) => hook.awaitsKey);
        const { placed, tooMuch } = awaitsKey ? { placed: [], tooMuch: taken } : await pace.space(taken);
        for (const due of tooMuch) await release(due);
        return placed;
      } catch (error) {
        onFault(error);
        return [];
      }
    },

    /** After a recent claim, the webhook need not be read again. */
    isRecent: (due: DueDelivery): boolean =>
      clock.now() < leaseOf(due).recentUntil && heldMs(due) < recentMsMax,

    /** Whether the rest of the lease is long enough for an attempt. */
    hasLeaseLeft: (due: DueDelivery): boolean =>
      clock.now() <= leaseOf(due).attemptUntil && heldMs(due) <= leaseMs - attemptMsMax,

    /** undefined if the delivery was canceled or lost since the claim, or if the store fails. */
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

/** Texts, because comparing texts is cheaper than parsing times. */
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

/** `notBeforeMs` is a time of `performance.now`. */
export interface PacedDelivery {
  due: DueDelivery;
  notBeforeMs: number;
}

/** `placed`: deliveries with the time of their attempt. `tooMuch`: deliveries to release. */
interface Spaced {
  placed: PacedDelivery[];
  tooMuch: DueDelivery[];
}

interface Pace {
  /** A webhook with a rate limit gets at most the deliveries of one second. */
  limit(wanted: number): number;
  /** Releases deliveries claimed before the rate limit was known, because the lease would end before their turn. */
  space(claimed: readonly DueDelivery[]): Promise<Spaced>;
}

/** A rate limit starts attempts at equal intervals. The store keeps the last one for all processes. */
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
