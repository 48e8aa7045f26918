import { type LoggerOptions, pino } from "pino";
import { type LogFacts, type LogLevel, logTime } from "./log-line.ts";

/** A server's log: a line of JSON for each call. Its level may change while it is in use. */
export interface JsonLog {
  level: string;
  isLevelEnabled(level: LogLevel): boolean;
  error: WriteLine;
  info: WriteLine;
  warn: WriteLine;
}

type WriteLine = {
  (msg: string): void;
  <T extends object>(facts: T & LogFacts<T>, msg: string): void;
};

/** Opens a log that writes to `target`: each line begins with its level by name and the time, in UTC. */
export function openJsonLog(level: string, target: { write(line: string): void }): JsonLog {
  return pino({ ...form, level }, target);
}

const form: LoggerOptions = {
  base: null,
  formatters: { level: (level) => ({ level }) },
  timestamp: () => `,"time":"${logTime()}"`,
};
