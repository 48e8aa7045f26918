import { DispatchError } from "../../errors/dispatch-error.ts";
import { pause } from "../../runtime/pause.ts";

/** Tries what a service that is away cannot answer. */
export interface Trying {
  /** Acts until it goes well, with pauses that grow; `onFailure` hears of each attempt in vain. Throws what stays refused. */
  keepTrying(
    act: () => Promise<void>,
    onFailure: (error: unknown) => void,
    ending: AbortSignal,
  ): Promise<void>;
  /** Ends a pause. The browser does it, too, once it has a network again. */
  hurry(): void;
}

const firstPauseMs = 1_000;
const pauseMsMax = 30_000;

/** Nothing is tried yet. */
export function createTrying(): Trying {
  let hurry: Trying["hurry"] = () => undefined;
  const rest = async (pauseMs: number, ending: AbortSignal) => {
    const rested = new AbortController();
    hurry = () => rested.abort();
    addEventListener("online", hurry, { signal: rested.signal });
    // It rejects when it is ended, which is what it is for.
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
        // Tabs that were all cut off at once do not all come back at once.
        await rest(Math.min(pauseMsMax, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2), ending);
      }
    },
  };
}

/** Whether it may go well the next time: nobody answers, or something in the service's place, or it cannot at the moment. */
export function mayPass({ code, status }: DispatchError): boolean {
  if (status === 401) return false;
  return code === "target_unreachable" || status === null || status >= 500 || status === 429;
}

/** What went wrong, in words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
