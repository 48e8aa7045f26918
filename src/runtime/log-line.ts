import { systemClock } from "./clock.ts";

/** pino's levels, most severe first. `silent` takes no line. */
export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Facts have snake_case names, the same in every line. */
export type LogFacts<T> = { [Name in keyof T]: Name extends Lowercase<Name & string> ? T[Name] : never };

export const logTime = (): string => `${systemClock.now().slice(0, 23)}Z`;

export function toLogLine<T extends object>(level: LogLevel, facts: T & LogFacts<T>): object {
  return { level, time: logTime(), ...facts };
}
