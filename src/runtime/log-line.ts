import { systemClock } from "./clock.ts";

/** The levels of a log, most severe first; `silent` takes no line. They are pino's. */
export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Facts of a line: their names are in snake_case, each fact under one name in every line. */
export type LogFacts<T> = { [Name in keyof T]: Name extends Lowercase<Name & string> ? T[Name] : never };

/** Now, as lines of a log tell it. */
export const logTime = (): string => `${systemClock.now().slice(0, 23)}Z`;

/** A line that the server's logger did not write, in the same form. */
export function toLogLine<T extends object>(level: LogLevel, facts: T & LogFacts<T>): object {
  return { level, time: logTime(), ...facts };
}
