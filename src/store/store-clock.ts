import { DispatchError, failure } from "../errors/errors.ts";
import { type Clock, type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { wholeTenant } from "./access/row-scopes.ts";
import { sandboxOffset } from "./metadata-keys.ts";
import type { Store } from "./store.ts";
import type { TenantStore } from "./tenant-store.ts";

/** The time of a store: the machine's, or in a sandbox store that much ahead or behind. It always ticks. */
export interface StoreClock extends Clock {
  /** Reads how far any process has moved the clock. A store that is no sandbox is asked only once. */
  refresh(): Promise<void>;
}

/** Makes the clock of a store. It shows the machine's time until `refresh` finds that somebody moved it. */
export function createStoreClock(machine: Clock, getMeta: (key: string) => Promise<string | undefined>) {
  let isFixed = false;
  let offsetMs = 0;
  return {
    now: () => shift(machine.now(), offsetMs),
    async refresh() {
      if (isFixed) return;
      const kept = await getMeta(sandboxOffset);
      isFixed = kept === undefined;
      offsetMs = Number(kept ?? 0);
    },
  } satisfies StoreClock;
}

/** Makes a store a sandbox: its clock can be moved from now on. */
export function makeSandbox({ store }: { store: Store }): Promise<void> {
  return store.metadata.set(sandboxOffset, "0");
}

/** The parts of a service that its time depends on. */
interface Clocked {
  machineClock: Clock;
  store: { metadata: Pick<Store["metadata"], "get"> };
}

/** What a store's clock shows. */
export interface ClockFacts {
  sandbox: boolean;
  store_time: Timestamp;
  machine_time: Timestamp;
  /** How far the store's time is ahead; below 0 behind. */
  offset_ms: number;
}

export async function readClock({ machineClock, store }: Clocked): Promise<ClockFacts> {
  return toFacts(await store.metadata.get(sandboxOffset), machineClock.now());
}

/**
 * Moves the clock of a sandbox store: `toOffset` is told what it is now and gives how far it is to be ahead. Throws
 * state_conflict for a store that is no sandbox, and invalid_date for a time beyond what the store can keep.
 */
export async function moveClock(
  { machineClock, store }: { machineClock: Clock; store: Store },
  toOffset: (before: ClockFacts) => number,
): Promise<{ before: ClockFacts; after: ClockFacts }> {
  return store.write({ tenantId: 0, rowScopes: wholeTenant }, (tenant) =>
    moveClockWithin(tenant, machineClock.now(), toOffset),
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
