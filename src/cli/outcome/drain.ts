import { type ConfigOption, wholeNumber } from "../configuration/config-option.ts";
import type { CliContext, OptionValues } from "../context.ts";

/** How a program that was asked to end spends its time, in milliseconds from then on. */
export interface Drain {
  /** So long it says that it is not ready, and serves on, before all the rest begins. */
  lameDuckMs: number;
  /** What is under way then is cut off. */
  cutMs: number;
  /** How long a process whose place another has taken leaves connections on which nothing runs. */
  idleMs: number;
  /** The process ends then, whatever it waits for. */
  endMs: number;
  /** Who supervises the process kills it then. */
  killMs: number;
}

/** To close connections and the store takes some time, also when nothing is waited for. */
const closingMsMin = 1000;

/** --drain-seconds */
export const drainOption: ConfigOption = {
  flags: "--drain-seconds <n>",
  about: "how long what is under way may take when the program is asked to end, 0 to 3600",
  kind: "number",
  parse: wholeNumber(0, 3600),
  fallback: 10,
};

/** --lame-duck-seconds */
export const lameDuckOption: ConfigOption = {
  flags: "--lame-duck-seconds <n>",
  about: "how long a server that is asked to end serves on while /readyz is 503, 0 to 3600",
  kind: "number",
  parse: wholeNumber(0, 3600),
  fallback: 0,
};

/** The plan of an ending: within the seconds that --drain-seconds says, after those of --lame-duck-seconds, all is over. */
export function toDrain({ drainSeconds, lameDuckSeconds = 0 }: OptionValues): Drain {
  const ms = Number(drainSeconds) * 1000;
  const lameDuckMs = Number(lameDuckSeconds) * 1000;
  const endMs = Math.max(ms * 0.95, closingMsMin);
  const killMs = lameDuckMs + Math.max(ms, endMs + closingMsMin / 2);
  return { lameDuckMs, cutMs: ms * 0.9, idleMs: ms * 0.8, endMs, killMs };
}

/**
 * Waits until the ending is done. Where it is not after `endMs`, as when a database hangs, the process ends with the command
 * and leaves the rest.
 */
export async function endWithin(
  { host }: Pick<CliContext, "host">,
  { endMs }: Pick<Drain, "endMs">,
  ending: Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      host?.abandonWork();
      resolve();
    }, endMs);
  });
  await Promise.race([ending, timeUp]).finally(() => clearTimeout(timer));
}
