import { type EventLog, isForgotten, type ListedEvent } from "./event-log.ts";
import type { Expectations } from "./expectations.ts";
import { type Faults, toGroups } from "./faults.ts";

/** What listening works with. */
export interface Listening {
  log: EventLog;
  /** The event to begin after; null for the oldest. */
  after: string | null;
  faults: Faults;
  expectations: Expectations;
  /** Ends once all that is expected came; otherwise listening ends only when it is told to. */
  endsWhenMet: boolean;
  isWanted(event: ListedEvent): boolean;
  /** Shows an event and forwards it. `isDone` is false when the end broke it off, so that the event comes again. */
  handle(event: ListedEvent): Promise<{ isDone: boolean; isTaken: boolean }>;
  /** Keeps how far it has come: all events up to this one are done. */
  keep(after: string): void;
  /** Tells that the event to read on from is gone, and that all events come now. */
  onForgotten(): void;
  hasEnded(): boolean;
  /** Ends it now. */
  finish(): void;
  /** Waits until there may be new events, or until the end. */
  wait(): Promise<void>;
}

/**
 * Handles events as they come, until the end: those of a record one after the other, those of others beside them. Throws
 * when the target goes away. Gives how many events that were read are not done.
 */
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

/** How many groups of events may wait or be sent at once. */
const waitingMax = 50;

/** The groups of events that are being handled: those of a record in their order. */
function createWork(listening: Listening) {
  const { endsWhenMet, expectations, faults, isWanted } = listening;
  /** The last of each record, under its name. */
  const tails = new Map<string, Promise<void>>();
  /** In the order of the log. */
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
      // Events in another order than the log's are a fault on purpose, of whatever records they are.
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

/** A group may have been put into another order than the log's. */
function lastOf(group: readonly ListedEvent[], events: readonly ListedEvent[]): string {
  const last = events.findLast((event) => group.includes(event));
  if (!last) throw new Error("A group holds events of its page.");
  return last.id;
}
