import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./target.ts";

/** Says when to read a target again. */
export interface Changes {
  /** Resolves when something has changed, or after a while. */
  wait(): Promise<void>;
  /** Whether to read again, for a caller that last read `passedMs` ago. Each change is reported once. */
  isDue(passedMs: number): boolean;
  /** Ends the current wait too. */
  end(): void;
}

/** A target is read this often even when its stream reports nothing: some records change without an event. */
const restMsDefault = 15_000;
/** The same without a stream: the target is away, or the caller may not read events. */
const blindMsDefault = 2_000;
/** Several changes often come together. */
const gatherMs = 100;

/** Reports the changes of a target by its stream of events. */
export function openChanges(
  { client }: Pick<Target, "client">,
  { blindMs = blindMsDefault, restMs = restMsDefault } = {},
): Changes {
  const ended = new AbortController();
  let isChanged = false;
  let isConnected = false;
  let wake = () => {};
  const notice = () => {
    isChanged = true;
    wake();
  };
  const onConnection = (isNow: boolean) => {
    isConnected = isNow;
    // Nobody reported what happened before the stream began, or since it was lost.
    notice();
  };
  const follow = async () => {
    for await (const _ of client.stream({ onConnection, signal: ended.signal })) notice();
  };
  // A refusal is not an error here: the caller reads the target anyway.
  follow().catch(() => undefined);
  const pauseMs = () => (isConnected ? restMs : blindMs);
  return {
    async wait() {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, pauseMs());
        wake = resolve;
        if (isChanged || ended.signal.aborted) resolve();
      });
      clearTimeout(timer);
      if (isChanged && !ended.signal.aborted) await sleep(gatherMs);
      isChanged = false;
    },
    isDue(passedMs) {
      const isDue = passedMs >= (isChanged ? gatherMs : pauseMs());
      if (isDue) isChanged = false;
      return isDue;
    },
    end() {
      ended.abort();
      wake();
    },
  };
}
