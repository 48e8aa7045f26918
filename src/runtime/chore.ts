/** Work that repeats until it is stopped. */
export interface Chore {
  /** Begins no run any more; resolves when the run under way, if there is one, has ended. */
  stop(): Promise<void>;
}

/** When a chore runs, and who learns of a run that failed. */
export interface ChoreOptions {
  firstAfterMs: number;
  /** From the end of one run to the start of the next. */
  everyMs: number;
  onFault: (error: unknown) => void;
}

/**
 * Calls `run` soon after the start, and again some time after each run ended, so that runs never overlap. A run returns
 * early once `isStopped`. One that fails is reported, and the next comes all the same. Keeps no process alive.
 */
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
