import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./target.ts";

/** Says when to look at a target again. */
export interface Changes {
  /** Resolves when something has changed, where the target tells that; else after `everyMs`. */
  wait(everyMs: number): Promise<void>;
  /** Whether it is time for the next look, for who last looked so long ago; what has changed is asked for once. */
  isDue(passedMs: number, everyMs: number): boolean;
  /** Ends the wait under way, too. */
  end(): void;
}

interface EventListener {
  onEvent(): void;
  /** Told when the target begins to tell, and when it is lost. */
  onConnection(isConnected: boolean): void;
}

/** Follows the events of a target that the caller may see, until the function that it gives is called. */
function followEvents({ client }: Target, { onConnection, onEvent }: EventListener): () => void {
  const ended = new AbortController();
  const follow = async () => {
    for await (const _ of client.stream({ onConnection, signal: ended.signal })) onEvent();
  };
  // Where the target tells nothing it is looked at all the same.
  follow().catch(() => undefined);
  return () => ended.abort();
}

/** A server that tells of changes is looked at so often all the same: some records change without an event. */
const restMsDefault = 15_000;

/** Changes seldom come alone. */
const gatherMs = 100;

/** Opens the stream of a server, to hear of changes. A store, or an older server, is looked at every so often. */
export async function openChanges(target: Target, restMs = restMsDefault): Promise<Changes> {
  let isChanged = false;
  let isTold = false;
  let isEnded = false;
  let wake = () => {};
  const notice = () => {
    isChanged = true;
    wake();
  };
  const onConnection = (isConnected: boolean) => {
    isTold = isConnected;
    // What happened before it began, or since it was lost, nobody told.
    notice();
  };
  const unfollow = target.store === null ? followEvents(target, { onConnection, onEvent: notice }) : () => {};
  const toPauseMs = (everyMs: number) => (isTold ? restMs : everyMs);
  return {
    async wait(everyMs) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, toPauseMs(everyMs));
        wake = resolve;
        if (isChanged || isEnded) resolve();
      });
      clearTimeout(timer);
      if (isChanged && !isEnded) await sleep(gatherMs);
      isChanged = false;
    },
    isDue(passedMs, everyMs) {
      const isDue = isChanged ? passedMs >= gatherMs : passedMs >= toPauseMs(everyMs);
      if (isDue) isChanged = false;
      return isDue;
    },
    end() {
      isEnded = true;
      unfollow();
      wake();
    },
  };
}
