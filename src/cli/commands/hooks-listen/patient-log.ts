import { DispatchError, errorKind, exitCodes, toExitCode } from "../../../errors/errors.ts";
import type { EventLog } from "./event-log.ts";

/** How long to wait for a target that is away, and what a wait works with. */
export interface Patience {
  retryMs: number;
  /** Resolves after so many milliseconds, or earlier when listening ends. */
  wait(ms: number): Promise<void>;
  hasEnded(): boolean;
  /** Says that the target is away, or back. */
  tell(text: string): void;
}

const firstPauseMs = 250;
const pauseMsMax = 5000;

/** The log, read again for a while when its target cannot be reached, is busy or limits its callers. */
export function toPatientLog(log: EventLog, { retryMs, wait, hasEnded, tell }: Patience): EventLog {
  async function next(after: string | null) {
    let awaySince: number | null = null;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
      try {
        const events = await log.next(after);
        if (awaySince !== null) tell("The target is back; listening goes on.");
        return events;
      } catch (error) {
        const now = performance.now();
        const leftMs = retryMs - (now - (awaySince ?? now));
        if (!isAway(error) || leftMs <= 0) throw error;
        if (awaySince === null)
          tell(`The target is away: ${error.message} Trying again for ${Math.ceil(retryMs / 1000)} s.`);
        awaySince ??= now;
        await wait(Math.min(pauseMs, leftMs));
      }
      if (hasEnded()) return [];
    }
  }
  return { ...log, next };
}

function isAway(error: unknown): error is DispatchError {
  if (!(error instanceof DispatchError)) return false;
  // A server may refuse with codes that this program does not know.
  const answered = error.body;
  const code = answered ? toExitCode(answered.status) : errorKind(error.code).exitCode;
  return code === exitCodes.unreachable || code === exitCodes.limited;
}
