import { type EventLog, isForgotten, type ListedEvent } from "./event-log.ts";
import type { Expectations } from "./expectations.ts";
import { type Faults, toGroups } from "./faults.ts";

export interface Listening {
  log: EventLog;
  /** null for the oldest. */
  after: string | null;
  faults: Faults;
  expectations: Expectations;
  /** Ends when all expected events have come. */
  endsWhenMet: boolean;
  isWanted(event: ListedEvent): boolean;
  /** `isDone` is false if the end interrupted it. The event then comes again. */
  handle(event: ListedEvent): Promise<{ isDone: boolean; isTaken: boolean }>;
  /** Stores that all events up to this one are done. */
  keep(after: string): void;
  /** Reports an invalid cursor, so all stored events come. */
  onForgotten(): void;
  hasEnded(): boolean;
  finish(): void;
  /** Resolves when there may be new events, or at the end. */
  wait(): Promise<void>;
}

/** Handles a record's events in sequence, others in parallel. Returns the number of events read but not handled. */
export async function listen(listening: Listening): Promise<number> {
  const work = createWork(listening);
  try {
    await readAll(listening, work);
  } finally {
    listening.finish();
    await work.end();
  }
  work.throwFailure();
  return work.left();
}

async function readAll(listening: Listening, work: Work): Promise<void> {
  let { after } = listening;
  while (!listening.hasEnded()) {
    const events = await readOn(listening, after);
    if (events === null) {
      after = null;
      continue;
    }
    for (const group of toGroups(events, listening.faults)) {
      await work.room();
      if (listening.hasEnded()) return;
      after = lastOf(group, events);
      work.add(group, after);
    }
    if (events.length === 0) await listening.wait();
  }
}

async function readOn({ log, onForgotten }: Listening, after: string | null) {
  try {
    return await log.next(after);
  } catch (error) {
    if (after === null || !isForgotten(error)) throw error;
    onForgotten();
    return null;
  }
}

type Work = ReturnType<typeof createWork>;

const waitingMax = 50;

/** Groups of one record run in order. */
function createWork(listening: Listening) {
  const { endsWhenMet, expectations, faults, isWanted } = listening;
  /** The last group of each record. */
  const tails = new Map<string, Promise<void>>();
  const waiting: { end: string; events: readonly ListedEvent[]; isDone: boolean }[] = [];
  let failure: { error: unknown } | null = null;

  async function handleAll(group: (typeof waiting)[number]): Promise<void> {
    for (const event of group.events) {
      if (listening.hasEnded()) return;
      const { isDone, isTaken } = await listening.handle(event);
      if (!isDone) return;
      if (isTaken) expectations.meet(event);
      if (endsWhenMet && expectations.open().length === 0) listening.finish();
    }
    group.isDone = true;
    for (let [first] = waiting; first?.isDone; [first] = waiting) {
      waiting.shift();
      listening.keep(first.end);
    }
  }

  return {
    add(events: readonly ListedEvent[], end: string): void {
      const group = { end, events: events.filter(isWanted), isDone: false };
      waiting.push(group);
      // The fault `reorder` mixes events of all records.
      const [first] = faults.reorder ? [] : events;
      const name = first ? `${first.type} ${first.record_id}` : "all";
      const tail = (tails.get(name) ?? Promise.resolve())
        .then(() => handleAll(group))
        .catch((error: unknown) => {
          failure ??= { error };
          listening.finish();
        })
        .then(() => {
          if (tails.get(name) === tail) tails.delete(name);
        });
      tails.set(name, tail);
    },
    async room(): Promise<void> {
      while (waiting.length >= waitingMax && tails.size > 0 && !listening.hasEnded())
        await Promise.race(tails.values());
    },
    end: () => Promise.all(tails.values()),
    left: () => waiting.filter(({ isDone }) => !isDone).reduce((sum, { events }) => sum + events.length, 0),
    throwFailure(): void {
      if (failure) throw failure.error;
    },
  };
}

/** A group may have been reordered. */
function lastOf(group: readonly ListedEvent[], events: readonly ListedEvent[]): string {
  const last = events.findLast((event) => group.includes(event));
  if (!last) throw new Error("A group holds events of its page.");
  return last.id;
}
