export interface Chore {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

export interface ChoreOptions {
  firstAfterMs: number;
  /** From the end of one run to the start of the next. */
  everyMs: number;
  onFault: (error: unknown) => void;
}

/** Runs never overlap, and continue after a failure. Does not keep the process alive. */
export function startChore(
  run: (isStopped: () => boolean) => Promise<void>,
  { firstAfterMs, everyMs, onFault }: ChoreOptions,
): Chore {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const runAndRepeat = async () => {
    await run(() => isStopped).catch(onFault);
    if (!isStopped) scheduleRun(everyMs);
  };
  const scheduleRun = (afterMs: number) => {
    timer = setTimeout(() => {
      running = runAndRepeat();
    }, afterMs).unref();
  };

  scheduleRun(firstAfterMs);
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
