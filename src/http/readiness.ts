import { DispatchError } from "../errors/errors.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { StoreCheck } from "../store/condition.ts";
import type { Store } from "../store/store.ts";

export type Readiness =
  | { isReady: true; oldestPendingDelivery: Timestamp | null }
  | { isReady: false; check: FailedCheck; reason: string };

type FailedCheck = StoreCheck | ServerCheck | "read" | "time";

type ServerCheck = "draining";

export type ServerState = () => { check: ServerCheck; reason: string } | null;

export const draining = { check: "draining", reason: "The server is ending: send it nothing more." } as const;

/** Checks the store at most once a second. Answers within two seconds. The server's own states come first. */
export function createReadiness(
  store: ReadableStore,
  states: readonly ServerState[] = [],
): () => Promise<Readiness> {
  let look: Look | undefined;
  return async () => {
    for (const state of states) {
      const found = state();
      if (found) return { isReady: false, ...found };
    }
    if (!look || (look.isOver() && performance.now() - look.startedAt >= everyMs)) look = startLook(store);
    const found = await look.found;
    // A fault since the last check is known without another.
    const fault = store.database.fault();
    return fault ? notReady(fault.check, fault.error) : found;
  };
}

interface ReadableStore {
  database: Pick<Store["database"], "check" | "fault" | "probe">;
  backlog: Pick<Store["backlog"], "oldestPendingDelivery">;
}

const everyMs = 1000;
/** The response takes time too, and no caller waits longer than two seconds. */
const lookMsMax = 1500;

interface Look {
  startedAt: number;
  /** The store has answered, perhaps too late. */
  isOver(): boolean;
  found: Promise<Readiness>;
}

function startLook(store: ReadableStore): Look {
  let isOver = false;
  const answer = askStore(store).finally(() => {
    isOver = true;
  });
  return { startedAt: performance.now(), isOver: () => isOver, found: inTime(answer) };
}

async function askStore(store: ReadableStore): Promise<Readiness> {
  let check: FailedCheck = "read";
  try {
    await store.database.check();
    // Old deliveries show that the worker has stopped.
    const oldestPendingDelivery = await store.backlog.oldestPendingDelivery();
    check = "write";
    await store.database.probe();
    return { isReady: true, oldestPendingDelivery };
  } catch (error) {
    return notReady(check, error);
  }
}

async function inTime(answer: Promise<Readiness>): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Readiness>((resolve) => {
    timer = setTimeout(resolve, lookMsMax, tooLate);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

const tooLate: Readiness = { isReady: false, check: "time", reason: "The store does not answer in time." };

/** The text of an unknown error may reveal internals. */
function notReady(check: FailedCheck, error: unknown): Readiness {
  const reason = error instanceof DispatchError ? error.message : "The store answers with an error.";
  return { isReady: false, check, reason };
}
