import { systemClock, toEpochMs } from "../../runtime/clock.ts";
import type { CliContext, Screen } from "../context.ts";
import { tell, tellJson } from "./tell.ts";

/**
 * Tells what whoever operates a server should know: as a sentence on a terminal, elsewhere as a record among those of the
 * server's log, whose every line is JSON.
 */
export function logNote(
  { stderr }: Pick<CliContext, "stderr">,
  log: Pick<Screen, "write">,
  note: string,
): void {
  if (stderr.isTTY) tell(log, note);
  else tellJson(log, toWarning({ msg: note }));
}

/** A warning as pino writes one. */
export function toWarning<T extends object>(facts: T): { level: number; time: number } & T {
  return { level: 40, time: toEpochMs(systemClock.now()), ...facts };
}
