import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./target.ts";

export interface Changes {
  /** Resolves after a change, or after a while. */
  wait(): Promise<void>;
  /** `passedMs`: the time since the last read. Each change is reported once. */
  isDue(passedMs: number): boolean;
  /** Also ends the current wait. */
  end(): void;
}

/** The interval with a silent stream: some records change without an event. */
const restMsDefault = 15_000;
/** The interval without a stream: the target is unreachable, or the caller may not read events. */
const blindMsDefault = 2_000;
/** Several changes often come together. */
const gatherMs = 100;

/** Uses the target's stream of events. */
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
    // Changes before the stream, or during its loss, are unreported.
    notice();
  };
  const follow = async () => {
    for await (const _ of client.stream({ onConnection, signal: ended.signal })) notice();
  };
  // A refusal does not matter here: the caller reads the target anyway.
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
