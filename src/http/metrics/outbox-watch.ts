import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "../../core/service.ts";
import { readEpochMs, type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import { readHold } from "../../store/held-deliveries.ts";
import type { PendingPlace } from "../../store/queries/backlog.ts";
import type { HookHealth } from "../../store/queries/hook-health.ts";
import { type Figure, toGauge } from "./figures.ts";

/** Counts pending deliveries for scrapes, and nothing in between. */
export interface OutboxWatch {
  /** At most once a second. Rejects if the store fails. */
  look(): Promise<void>;
  read(): Figure[];
  stop(): void;
}

/** A step counts this many, in 1 to 2 ms. The next step waits ten times as long. */
const stepMaxDefault = 10_000;
const restPart = 10;
/** These webhooks have their own series. The others count together, which limits the number of series. */
const hooksMax = 50;
const pendingPerHookMax = 1000;
const everyMs = 1000;
const origin: PendingPlace = { tenantId: 0, deliveryId: 0 };

/** A scrape waits for one step of the count. While a longer count runs, scrapes return the count before it. */
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
      // The next look reports the fault of the store.
    } finally {
      isCounting = false;
    }
  };
  const lookNow = async () => {
    const [found] = await Promise.all([readOutbox(store), clock.refresh()]);
    const first = isCounting ? null : await store.backlog.countPending(origin, stepMax);
    const isWhole = first?.next === null;
    wasCounted ||= isWhole;
    const pending = isWhole ? first.count : Math.max(known?.pending ?? 0, first?.count ?? 0);
    known = { ...found, pending };
    if (first?.next) void countOn(first.next, first.count);
  };
  return {
    look() {
      const now = performance.now();
      if (now - startedAt >= everyMs) {
        startedAt = now;
        // A slow count does not start a second time.
        look = look.catch(() => undefined).then(lookNow);
      }
      return look;
    },
    read: () =>
      known ? [...toFigures(known, toEpochMs(clock.now())), toClockOffset(toEpochMs(clock.unmoved()))] : [],
    stop: () => {
      isStopped = true;
    },
  };
}

interface Outbox {
  pending: number;
  oldestMs: number | null;
  isHeld: boolean;
  frozenTenants: number;
  hooks: HookHealth[];
  since: Record<"event" | "secret_key", Timestamp | null>;
}

async function readOutbox({
  backlog,
  metadata,
  secretForms,
}: Service["store"]): Promise<Omit<Outbox, "pending">> {
  const [oldest, hold, frozen, hooks, event, secret_key] = await Promise.all([
    backlog.oldestPendingDelivery(),
    readHold(metadata),
    backlog.frozenTenants(),
    backlog.hookHealth(pendingPerHookMax),
    backlog.oldestEvent(),
    secretForms.keySince(),
  ]);
  const oldestMs = oldest === null ? null : toEpochMs(oldest);
  return {
    frozenTenants: frozen.length,
    hooks,
    isHeld: hold !== null,
    oldestMs,
    since: { event, secret_key },
  };
}

function toFigures(
  { frozenTenants, hooks, isHeld, oldestMs, pending, since }: Outbox,
  nowMs: number,
): Figure[] {
  const ageSeconds = oldestMs === null ? 0 : Math.max(0, nowMs - oldestMs) / 1000;
  return [
    toGauge("dispatch_outbox_pending", "Webhook deliveries that are pending.", "max", [[{}, pending]]),
    toGauge("dispatch_outbox_oldest_seconds", "Age of the oldest pending delivery, 0 for none.", "max", [
      [{}, ageSeconds],
    ]),
    toGauge("dispatch_deliveries_held", "1 while deliveries are held (after a restore, or by hand).", "max", [
      [{}, isHeld ? 1 : 0],
    ]),
    toGauge(
      "dispatch_frozen_tenants",
      "Tenants whose changes are refused, frozen by hand or by a move.",
      "max",
      [[{}, frozenTenants]],
    ),
    ...toHookFigures(hooks, nowMs),
    toGauge(
      "dispatch_age_seconds",
      "Age `of` the oldest `event` of all tenants, and of the `secret_key` since it encrypts; absent without one.",
      "max",
      Object.entries(since).flatMap(([of, on]) =>
        on === null ? [] : [[{ of }, Math.max(0, nowMs - toEpochMs(on)) / 1000]],
      ),
    ),
  ];
}

const toClockOffset = (databaseMs: number): Figure =>
  toGauge(
    "dispatch_clock_offset_seconds",
    "How far the clock of the database is ahead of the server's; 0 for a file.",
    "max",
    [[{}, (databaseMs - readEpochMs()) / 1000]],
  );

/** Most pending deliveries first, then the longest failing. */
function toHookFigures(hooks: readonly HookHealth[], nowMs: number): Figure[] {
  const failedSeconds = ({ failingSince }: HookHealth) =>
    failingSince === null ? 0 : Math.max(0, nowMs - toEpochMs(failingSince)) / 1000;
  const active = hooks
    .filter(({ deactivatedReason }) => deactivatedReason === null)
    .map((hook) => ({
      labels: { tenant: String(hook.tenantId), hook: String(hook.hookId) },
      pending: hook.pending,
      failed: failedSeconds(hook),
    }))
    .toSorted((a, b) => b.pending - a.pending || b.failed - a.failed);
  const shown = active.slice(0, hooksMax);
  const others = active.slice(hooksMax);
  if (others.length > 0)
    shown.push({
      labels: { tenant: "other", hook: "other" },
      pending: others.reduce((sum, { pending }) => sum + pending, 0),
      failed: Math.max(...others.map(({ failed }) => failed)),
    });
  return [
    toGauge(
      "dispatch_hook_pending",
      `Pending deliveries by \`tenant\` and \`hook\` (their ids), counted up to ${pendingPerHookMax}, for the ${hooksMax} webhooks with the most; the rest is \`other\`.`,
      "max",
      shown.map(({ labels, pending }) => [labels, pending]),
    ),
    toGauge(
      "dispatch_hook_failing_seconds",
      "Seconds since the receiver of each of these webhooks began to fail, 0 while it works.",
      "max",
      shown.map(({ labels, failed }) => [labels, failed]),
    ),
  ];
}
