import { DispatchError, failure } from "../errors/errors.ts";
import { type Clock, type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "./access/row-scopes.ts";
import { sandboxOffset } from "./metadata-keys.ts";
import type { Store } from "./store.ts";
import type { TenantStore } from "./tenant-store.ts";

/**
 * The time of a store, the same for all its servers: the machine's, or the database's where the database has a clock; in a
 * sandbox store that much ahead or behind. It always ticks.
 */
export interface StoreClock extends Clock {
  /** The time without what a sandbox adds. */
  unmoved(): Timestamp;
  /**
   * Reads how far any process has moved the clock, and compares the machine's clock with the database's every 10 seconds. A
   * store that is no sandbox is asked for the first only once.
   */
  refresh(): Promise<void>;
}

/** What a store's clock asks the store. */
interface ClockSource {
  getMeta(key: string): Promise<string | undefined>;
  /** Milliseconds since 1970 by the database's own clock; null where it has none. */
  databaseMs(): Promise<number | null>;
}

/** Makes the clock of a store. It shows the machine's time until `refresh` finds another. */
export function createStoreClock(machine: Clock, { databaseMs, getMeta }: ClockSource) {
  let isFixed = false;
  let offsetMs = 0;
  let skewMs = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  const compare = async () => {
    const sentMs = toEpochMs(machine.now());
    const theirMs = await databaseMs();
    if (theirMs === null) comparedAt = Number.POSITIVE_INFINITY;
    else {
      // The database read its clock between the two moments. While the skew fits in between, it stays as it is.
      const [least, most] = [theirMs - toEpochMs(machine.now()), theirMs - sentMs];
      skewMs = Math.min(Math.max(skewMs, Math.floor(least)), Math.ceil(most));
      comparedAt = performance.now();
    }
  };
  let comparing: Promise<void> | null = null;
  const unmoved = () => shift(machine.now(), skewMs);
  return {
    unmoved,
    now: () => shift(unmoved(), offsetMs),
    async refresh() {
      if (performance.now() - comparedAt > compareEveryMs) {
        comparing ??= compare().finally(() => {
          comparing = null;
        });
        await comparing;
      }
      if (isFixed) return;
      const kept = await getMeta(sandboxOffset);
      isFixed = kept === undefined;
      offsetMs = Number(kept ?? 0);
    },
  } satisfies StoreClock;
}

const compareEveryMs = 10_000;

/** Makes a store a sandbox: its clock can be moved from now on. */
export function makeSandbox({ store }: { store: Store }): Promise<void> {
  return store.metadata.set(sandboxOffset, "0");
}

/** The parts of a service that its time depends on. */
interface Clocked {
  clock: Pick<StoreClock, "unmoved">;
  store: { metadata: Pick<Store["metadata"], "get"> };
}

/** What a store's clock shows. */
export interface ClockFacts {
  sandbox: boolean;
  store_time: Timestamp;
  /** The time without the offset: the machine's, or the database's. */
  machine_time: Timestamp;
  /** How far the store's time is ahead; below 0 behind. */
  offset_ms: number;
}

export async function readClock({ clock, store }: Clocked): Promise<ClockFacts> {
  return toFacts(await store.metadata.get(sandboxOffset), clock.unmoved());
}

/**
 * Moves the clock of a sandbox store: `toOffset` is told what it is now and gives how far it is to be ahead. Throws
 * state_conflict for a store that is no sandbox, and invalid_date for a time beyond what the store can keep.
 */
export async function moveClock(
  { clock, store }: { clock: StoreClock; store: Store },
  toOffset: (before: ClockFacts) => number,
): Promise<{ before: ClockFacts; after: ClockFacts }> {
  await clock.refresh();
  return store.write({ tenantId: 0, rowScopes: wholeTenant }, (tenant) =>
    moveClockWithin(tenant, clock.unmoved(), toOffset),
  );
}

/** The same within a transaction. */
export async function moveClockWithin(
  { backlog, metadata }: Pick<TenantStore, "backlog" | "metadata">,
  machineTime: Timestamp,
  toOffset: (before: ClockFacts) => number,
): Promise<{ before: ClockFacts; after: ClockFacts }> {
  const before = toFacts(await metadata.get(sandboxOffset), machineTime);
  if (!before.sandbox) throw noSandbox();
  const offsetMs = toOffset(before);
  const storeMs = toEpochMs(machineTime) + offsetMs;
  if (storeMs < earliestMs || storeMs >= latestMs)
    throw failure("invalid_date", "A store's time is between 1970-01-01 and 9998-12-31.");
  const after = toFacts(String(offsetMs), machineTime);
  await metadata.set(sandboxOffset, String(offsetMs));
  // Forward, leases end by themselves. Back, the leases of a dead worker would last until the old time comes again.
  if (after.store_time < before.store_time) await backlog.endLeases(after.store_time);
  return { before, after };
}

const earliestMs = 0;
// Some years before the last one that can be written, because the clock keeps ticking.
const latestMs = Date.UTC(9999, 0, 1);

function toFacts(kept: string | undefined, machineTime: Timestamp): ClockFacts {
  const offset = Number(kept ?? 0);
  return {
    sandbox: kept !== undefined,
    store_time: shift(machineTime, offset),
    machine_time: machineTime,
    offset_ms: offset,
  };
}

function shift(moment: Timestamp, byMs: number): Timestamp {
  return byMs === 0 ? moment : toTimestamp(toEpochMs(moment) + byMs);
}

function noSandbox() {
  const detail = "The store is no sandbox, so its clock is the machine's; it was not changed.";
  const see = { command: "init --sandbox" } as const;
  return new DispatchError([{ code: "state_conflict", detail, field: null, see }]);
}

/** Longer than an attempt of a delivery can take (OP-77: 15 s). */
const waitMsMax = 20_000;
const lookEveryMs = 50;
const lateAfterMs = 1000;

/**
 * Waits until no worker holds a delivery, for 20 s at most: to move the clock earlier ends leases, and what was sent and is not
 * recorded yet is sent again. `onLate` is told once how many are left when it takes long.
 */
export async function waitForLeases(
  countLeased: () => Promise<number>,
  onLate: (count: number) => void = () => {},
): Promise<void> {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += lookEveryMs) {
    const count = await countLeased();
    if (count === 0) return;
    if (waitedMs === lateAfterMs) onLate(count);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
