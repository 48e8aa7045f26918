import { pause } from "../../../runtime/pause.ts";

/** Readings of the same thing, which may overlap. */
interface Readings {
  isGoingOn(): boolean;
  /** Reads; `claim` says whether what was found may be told: not where a reading that began later was faster. */
  read(act: (claim: () => boolean) => Promise<void>): Promise<void>;
}

/** Nothing is read yet. */
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

/**
 * Reads when it is asked to, once for all who ask meanwhile, and never twice at a time: a server that is slow is asked no
 * more for it. It rests for `restMs` in between, and for as long as a reading took. `read` tells whether it went well, and
 * throws nothing; what did not is read again.
 */
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
      // The pause rejects when the end has come.
      .catch(() => undefined)
      .finally(() => {
        isBusy = false;
      });
  };
}

const failedMs = 3_000;
