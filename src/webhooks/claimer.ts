import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "../store/access/row-scopes.ts";
import type { Endpoint } from "../store/queries/backlog.ts";
import type { DueDelivery } from "../store/queries/deliveries-due.ts";
import type { DeliveryService } from "./delivery-service.ts";
import type { LeftWebhooks } from "./left-webhooks.ts";

/** Longer than an attempt can take, with what comes before and after it (15 s). */
export const leaseMs = 45_000;
const attemptMsMax = 20_000;
const recentMsMax = 1000;

/** Takes deliveries of one webhook out of the outbox under a lease, and gives back what is not attempted. */
export type Claimer = ReturnType<typeof createClaimer>;

/** What a claimer is made with. */
interface ClaimerOptions {
  /** Claims only deliveries of events from this one on; 0 claims all. */
  firstEventId: number;
  /** null for a worker that leaves nothing to others. */
  left: LeftWebhooks | null;
  /** Gives another name for each claim, by which the worker is known should it die. */
  nameClaim(): Promise<string>;
  /** Aborted when the worker stops: nothing is claimed from then on. */
  stopping: AbortSignal;
  onFault(error: unknown): void;
}

/** Makes the claimer of a webhook. It never rejects: it reports a fault of the store and goes on without an answer. */
export function createClaimer(
  { clock, store }: DeliveryService,
  { tenantId, hookId }: Endpoint,
  { firstEventId, left, nameClaim, stopping, onFault }: ClaimerOptions,
) {
  const scope = { tenantId, rowScopes: wholeTenant };
  const pace = createPace({ clock, store }, { tenantId, hookId });
  let lease = toLease("1970-01-01T00:00:00.000000");
  // The deliveries of a claim have one lease, and come one after the other.
  const leaseOf = ({ leasedUntil }: DueDelivery) => {
    if (lease.until !== leasedUntil) lease = toLease(leasedUntil);
    return lease;
  };
  /** Makes the delivery due again; or cancels it, with all others of its webhook, when that was deactivated since. */
  const release = async (due: DueDelivery): Promise<void> => {
    try {
      await store.writeRelaxed(scope, async ({ dueDeliveries, hooks }) => {
        // Read now: the webhook may have been enabled again since the delivery was read.
        const hook = await hooks.find(hookId);
        if (hook?.deleted_at === null) await dueDeliveries.release(due, clock.now());
        else await dueDeliveries.cancelPending(hookId, clock.now());
      });
    } catch (error) {
      onFault(error);
    }
  };
  // A clock that is set back does not make a lease longer.
  let claimed = { until: "", sinceMs: 0 };
  const heldMs = ({ leasedUntil }: DueDelivery) =>
    leasedUntil === claimed.until ? performance.now() - claimed.sinceMs : 0;
  return {
    /** Takes deliveries that are due, at most so many, each with its place in time. */
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
        // The webhook's key came into use since it was looked at. None is given, so that its queue ends: the next look
        // passes the webhook over.
        const awaitsKey = taken.some(({ hook }) => hook.awaitsKey);
        const { placed, tooMuch } = awaitsKey ? { placed: [], tooMuch: taken } : await pace.space(taken);
        for (const due of tooMuch) await release(due);
        return placed;
      } catch (error) {
        onFault(error);
        return [];
      }
    },

    /** Whether it was claimed so lately that its webhook need not be read again before it is sent. */
    isRecent: (due: DueDelivery): boolean =>
      clock.now() < leaseOf(due).recentUntil && heldMs(due) < recentMsMax,

    /** Whether the rest of the lease is long enough for an attempt. */
    hasLeaseLeft: (due: DueDelivery): boolean =>
      clock.now() <= leaseOf(due).attemptUntil && heldMs(due) <= leaseMs - attemptMsMax,

    /**
     * The delivery with its webhook as it is now; undefined when the delivery was cancelled or lost since the claim, or
     * when that cannot be found out.
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

/** The moments of a lease, as text: comparing that takes less than reading the time out of it. */
function toLease(until: Timestamp) {
  const untilMs = toEpochMs(until);
  return {
    until,
    /** Until then a delivery was claimed lately; that moment excluded. */
    recentUntil: toTimestamp(untilMs - leaseMs + recentMsMax),
    /** An attempt may begin until then; that moment included. */
    attemptUntil: toTimestamp(untilMs - attemptMsMax),
  };
}

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
interface Pace {
  /** How many of so many deliveries a claim may take: what a capped webhook is sent in a second. */
  limit(wanted: number): number;
  /** A webhook that was not known to be capped gave more than that: to wait for all would outlast their lease. */
  space(claimed: readonly DueDelivery[]): Promise<Spaced>;
}

/**
 * Makes the pace of a webhook. Under a cap attempts begin at equal distances, and the store keeps up to when there
 * is one, so that the workers of all processes stay below the cap together.
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
