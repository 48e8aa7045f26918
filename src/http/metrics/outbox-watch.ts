import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "../../core/service.ts";
import { toEpochMs } from "../../runtime/clock.ts";
import { readHold } from "../../store/held-deliveries.ts";
import type { PendingPlace } from "../../store/queries/backlog.ts";
import { type Figure, toGauge } from "./figures.ts";

/** Counts what is pending for scrapes; in the time between them it asks for nothing. */
export interface OutboxWatch {
  /** Looks, unless it did so within the last second. Resolves when something new is known; rejects when the store fails. */
  look(): Promise<void>;
  /** What is known by now: nothing before the first look. */
  read(): Figure[];
  stop(): void;
}

/** So many are counted at once, in a millisecond or two; the store is left to others for ten times as long before the next. */
const stepMaxDefault = 10_000;
const restPart = 10;
const everyMs = 1000;
const origin: PendingPlace = { tenantId: 0, deliveryId: 0 };

/**
 * A look tells what a first step counts. Beyond that the count goes on by itself. What was counted before stands meanwhile; the
 * first time, what was counted so far.
 */
export function watchOutbox(
  { clock, store }: Pick<Service, "clock" | "store">,
  stepMax = stepMaxDefault,
): OutboxWatch {
  let known: Outbox | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  let look: Promise<void> = Promise.resolve();
  let isCounting = false;
  let wasCounted = false;
  let isStopped = false;
  const countOn = async (from: PendingPlace, counted: number) => {
    isCounting = true;
    try {
      let pending = counted;
      for (let next: PendingPlace | null = from; next && !isStopped; ) {
        const stepAt = performance.now();
        const step = await store.backlog.countPending(next, stepMax);
        pending += step.count;
        next = step.next;
        if (known && !wasCounted) known.pending = pending;
        if (next) await sleep((performance.now() - stepAt) * restPart, undefined, { ref: false });
      }
      if (known) known.pending = pending;
      wasCounted = true;
    } catch {
      // The next look says what is wrong with the store.
    } finally {
      isCounting = false;
    }
  };
  const lookNow = async () => {
    const [oldest, hold] = await Promise.all([
      store.backlog.oldestPendingDelivery(),
      readHold(store.metadata),
    ]);
    const first = isCounting ? null : await store.backlog.countPending(origin, stepMax);
    const isWhole = first?.next === null;
    wasCounted ||= isWhole;
    const pending = isWhole ? first.count : Math.max(known?.pending ?? 0, first?.count ?? 0);
    known = { pending, oldestMs: oldest === null ? null : toEpochMs(oldest), isHeld: hold !== null };
    if (first?.next) void countOn(first.next, first.count);
  };
  return {
    look() {
      const now = performance.now();
      if (now - startedAt >= everyMs) {
        startedAt = now;
        // A look that is late is not begun again beside itself.
        look = look.catch(() => undefined).then(lookNow);
      }
      return look;
    },
    read: () => (known ? toFigures(known, toEpochMs(clock.now())) : []),
    stop: () => {
      isStopped = true;
    },
  };
}

interface Outbox {
  pending: number;
  /** When the oldest of them was made. */
  oldestMs: number | null;
  isHeld: boolean;
}

function toFigures({ isHeld, oldestMs, pending }: Outbox, nowMs: number): Figure[] {
  const ageSeconds = oldestMs === null ? 0 : Math.max(0, nowMs - oldestMs) / 1000;
  return [
    toGauge("dispatch_outbox_pending", "Webhook deliveries that are pending.", "max", [[{}, pending]]),
    toGauge("dispatch_outbox_oldest_seconds", "Age of the oldest pending delivery, 0 for none.", "max", [
      [{}, ageSeconds],
    ]),
    toGauge("dispatch_deliveries_held", "1 while deliveries are held (after a restore, or by hand).", "max", [
      [{}, isHeld ? 1 : 0],
    ]),
  ];
}
