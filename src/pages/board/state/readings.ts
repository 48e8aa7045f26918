import { pause } from "../../../runtime/pause.ts";

interface Readings {
  isGoingOn(): boolean;
  /** `claim` returns false if a later read has finished. */
  read(act: (claim: () => boolean) => Promise<void>): Promise<void>;
}

export function createReadings(): Readings {
  let begun = 0;
  let told = 0;
  let open = 0;
  return {
    isGoingOn: () => open > 0,
    async read(act) {
      begun += 1;
      open += 1;
      const own = begun;
      const claim = () => {
        if (own < told) return false;
        told = own;
        return true;
      };
      await act(claim).finally(() => {
        open -= 1;
      });
    },
  };
}

/** Reads never overlap, and rest for `restMs` or the duration of the read. Repeats while `read` returns false. */
export function createRereading(
  read: () => Promise<boolean>,
  ending: AbortSignal,
  restMs: number,
): (afterMs?: number) => void {
  let isDue = false;
  let isBusy = false;
  const run = async (afterMs: number) => {
    if (afterMs > 0) await pause(afterMs, ending);
    while (isDue && !ending.aborted) {
      isDue = false;
      const begunMs = performance.now();
      const wentWell = await read();
      if (!wentWell) isDue = true;
      await pause(Math.max(wentWell ? restMs : failedMs, performance.now() - begunMs), ending);
    }
  };
  return (afterMs = 0) => {
    isDue = true;
    if (isBusy || ending.aborted) return;
    isBusy = true;
    run(afterMs)
      // `ending` aborts the pause.
      .catch(() => undefined)
      .finally(() => {
        isBusy = false;
      });
  };
}

const failedMs = 3_000;
