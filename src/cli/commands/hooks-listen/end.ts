import type { CliContext } from "../../context.ts";

/** When listening ends. */
export interface End {
  hasEnded(): boolean;
  /** Ends it now, without calling back: what is being sent comes to its end. */
  finish(): void;
  /** Forgets the time that it would end at. */
  stop(): void;
  /** Waits, unless the end comes first. */
  wait(ms: number): Promise<void>;
}

/** Ends after a time (null: never) or when the program is interrupted, and calls back then. */
export function createEnd(context: CliContext, forMs: number | null, onEnd: () => void): End {
  let isOver = false;
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = () => {
      isOver = true;
      resolve();
    };
  });
  const end = () => {
    onEnd();
    finish();
  };
  context.onInterrupt(end);
  // A longer one would end at once.
  const timer = forMs === null ? null : setTimeout(end, Math.min(forMs, 2 ** 31 - 1));
  return {
    hasEnded: () => isOver,
    finish: () => finish(),
    stop() {
      if (timer) clearTimeout(timer);
    },
    async wait(ms) {
      let waiting: NodeJS.Timeout | undefined;
      const passed = new Promise<void>((resolve) => {
        waiting = setTimeout(resolve, ms);
      });
      await Promise.race([passed, ended]);
      clearTimeout(waiting);
    },
  };
}
