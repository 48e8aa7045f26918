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
  /** Keeps how far it has come. */
  keep(after: string): void;
  /** Tells that the event to read on from is gone, and that all events come now. */
  onForgotten(): void;
  hasEnded(): boolean;
  wait(ms: number): Promise<void>;
}

const pollMs = 300;

/** Handles events one after the other as they come, until the end. Throws when the target goes away. */
export async function listen(listening: Listening): Promise<void> {
  let { after } = listening;
  while (!listening.hasEnded()) {
    const events = await readOn(listening, after);
    if (events === null) {
      after = null;
      continue;
    }
    for (const group of toGroups(events, listening.faults)) {
      if (!(await handleAll(group, listening))) return;
      after = lastOf(group, events);
      listening.keep(after);
      if (listening.hasEnded() || isMet(listening)) return;
    }
    if (events.length === 0) await listening.wait(pollMs);
  }
}

function isMet({ endsWhenMet, expectations }: Listening): boolean {
  return endsWhenMet && expectations.open().length === 0;
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

/** False when the end broke it off: then the whole group comes again. */
async function handleAll(group: readonly ListedEvent[], listening: Listening): Promise<boolean> {
  for (const event of group) {
    if (!listening.isWanted(event)) continue;
    const { isDone, isTaken } = await listening.handle(event);
    if (!isDone) return false;
    if (isTaken) listening.expectations.meet(event);
  }
  return true;
}

/** A group may have been put into another order than the log's. */
function lastOf(group: readonly ListedEvent[], events: readonly ListedEvent[]): string {
  const last = events.findLast((event) => group.includes(event));
  if (!last) throw new Error("A group holds events of its page.");
  return last.id;
}
