import { DispatchError, failure } from "../errors/errors.ts";
import { type Clock, type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "./access/row-scopes.ts";
import { sandboxOffset } from "./metadata-keys.ts";
import type { Store } from "./store.ts";
import type { TenantStore } from "./tenant-store.ts";

/** The machine's time, or the database's if it has a clock, plus a sandbox's offset. */
export interface StoreClock extends Clock {
  unmoved(): Timestamp;
  /** Reads a sandbox's offset, and compares the clocks of machine and database every 10 s. */
  refresh(): Promise<void>;
}

interface ClockSource {
  getMeta(key: string): Promise<string | undefined>;
  databaseMs(): Promise<number | null>;
}

/** Shows the machine's time until the first `refresh`. */
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
      // The database read its clock between these two times. A known skew within them stays.
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

export function makeSandbox({ store }: { store: Store }): Promise<void> {
  return store.metadata.set(sandboxOffset, "0");
}

interface Clocked {
  clock: Pick<StoreClock, "unmoved">;
  store: { metadata: Pick<Store["metadata"], "get"> };
}

export interface ClockFacts {
  sandbox: boolean;
  store_time: Timestamp;
  machine_time: Timestamp;
  offset_ms: number;
}

export async function readClock({ clock, store }: Clocked): Promise<ClockFacts> {
  return toClockFacts(await store.metadata.get(sandboxOffset), clock.unmoved());
}

/** Throws state_conflict for other stores, and invalid_date for a time that the store cannot keep. */
export async function moveClock(
  { clock, store }: { clock: StoreClock; store: Store },
  toOffset: (before: ClockFacts) => number,
): Promise<{ before: ClockFacts; after: ClockFacts }> {
  await clock.refresh();
  return store.write({ tenantId: 0, rowScopes: wholeTenant }, (tenant) =>
    moveClockWithin(tenant, clock.unmoved(), toOffset),
  );
}

export async function moveClockWithin(
  { backlog, metadata }: Pick<TenantStore, "backlog" | "metadata">,
  machineTime: Timestamp,
  toOffset: (before: ClockFacts) => number,
): Promise<{ before: ClockFacts; after: ClockFacts }> {
  const before = toClockFacts(await metadata.get(sandboxOffset), machineTime);
  if (!before.sandbox) throw noSandbox();
  const offsetMs = toOffset(before);
  const storeMs = toEpochMs(machineTime) + offsetMs;
  if (storeMs < earliestMs || storeMs >= latestMs)
    throw failure("invalid_date", "A store's time is between 1970-01-01 and 9998-12-31.");
  const after = toClockFacts(String(offsetMs), machineTime);
  await metadata.set(sandboxOffset, String(offsetMs));
  // After a move back, the leases of a dead worker would last until the old time returns.
  if (after.store_time < before.store_time) await backlog.endLeases(after.store_time);
  return { before, after };
}

const earliestMs = 0;
// Leaves years for the clock to tick before the last valid date.
const latestMs = Date.UTC(9999, 0, 1);

function toClockFacts(kept: string | undefined, machineTime: Timestamp): ClockFacts {
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
  const detail = "The store is not a sandbox, so its clock is the machine's and cannot be moved.";
  const see = { command: "init --sandbox" } as const;
  return new DispatchError([{ code: "state_conflict", detail, field: null, see }]);
}

/** Longer than an attempt can take (15 s). */
const waitMsMax = 20_000;
const lookEveryMs = 50;
const lateAfterMs = 1000;

/** Waits for running attempts, for 20 s at most. Calls `onLate` once with the number left. */
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
