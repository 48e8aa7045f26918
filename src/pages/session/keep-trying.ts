import { DispatchError } from "../../errors/dispatch-error.ts";
import { unreachableCodes } from "../../errors/errors.ts";
import { pause } from "../../runtime/pause.ts";

export interface Trying {
  /** Repeats `act` until it succeeds, with growing pauses. Throws errors that a retry cannot fix. */
  keepTrying(
    act: () => Promise<void>,
    onFailure: (error: unknown) => void,
    ending: AbortSignal,
  ): Promise<void>;
  /** Ends the current pause. So does the browser when it is online again. */
  hurry(): void;
}

const firstPauseMs = 1_000;
const pauseMsMax = 30_000;

export function createTrying(): Trying {
  let hurry: Trying["hurry"] = () => undefined;
  const rest = async (pauseMs: number, ending: AbortSignal) => {
    const rested = new AbortController();
    hurry = () => rested.abort();
    addEventListener("online", hurry, { signal: rested.signal });
    // Aborting is the normal end.
    await pause(pauseMs, AbortSignal.any([ending, rested.signal])).catch(() => undefined);
    rested.abort();
  };
  return {
    hurry: () => hurry(),
    async keepTrying(act, onFailure, ending) {
      for (let failures = 0; !ending.aborted; failures += 1) {
        try {
          return await act();
        } catch (error) {
          if (ending.aborted || !(error instanceof DispatchError && mayPass(error))) throw error;
          onFailure(error);
        }
        // Spreads the retries of many tabs.
        await rest(Math.min(pauseMsMax, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2), ending);
      }
    },
  };
}

/** No response, a proxy's response, or a temporary error. */
export function mayPass({ code, status }: DispatchError): boolean {
  if (status === 401) return false;
  return unreachableCodes.has(code) || status === null || status >= 500 || status === 429;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
