import { type ConfigOption, wholeNumber } from "../configuration/config-option.ts";
import type { CliContext, OptionValues } from "../context.ts";

/** In milliseconds from the signal. */
export interface Drain {
  /** The server reports not ready and keeps serving. */
  lameDuckMs: number;
  /** The server aborts running requests. */
  cutMs: number;
  /** A replaced process closes its idle connections. */
  idleMs: number;
  /** The process ends even if work is left. */
  endMs: number;
  /** The supervisor kills the process. */
  killMs: number;
}

/** Closing connections and the store takes time even when the server is idle. */
const closingMsMin = 1000;

export const drainOption: ConfigOption = {
  flags: "--drain-seconds <n>",
  about: "seconds that running requests get on shutdown, 0 to 3600",
  kind: "number",
  parse: wholeNumber(0, 3600),
  fallback: 10,
};

export const lameDuckOption: ConfigOption = {
  flags: "--lame-duck-seconds <n>",
  about: "seconds to keep serving on shutdown while /readyz returns 503, 0 to 3600",
  kind: "number",
  parse: wholeNumber(0, 3600),
  fallback: 0,
};

/** After --lame-duck-seconds, everything ends within --drain-seconds. */
export function toDrain({ drainSeconds, lameDuckSeconds = 0 }: OptionValues): Drain {
  const ms = Number(drainSeconds) * 1000;
  const lameDuckMs = Number(lameDuckSeconds) * 1000;
  const endMs = Math.max(ms * 0.95, closingMsMin);
  const killMs = lameDuckMs + Math.max(ms, endMs + closingMsMin / 2);
  return { lameDuckMs, cutMs: ms * 0.9, idleMs: ms * 0.8, endMs, killMs };
}

/** After `endMs`, for example when a database hangs, the process ends and abandons the work. */
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
