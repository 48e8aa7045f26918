import { type LoggerOptions, pino } from "pino";
import { type LogFacts, type LogLevel, logTime } from "./log-line.ts";

export interface JsonLog {
  level: string;
  isLevelEnabled(level: LogLevel): boolean;
  error: WriteLine;
  debug: WriteLine;
  info: WriteLine;
  warn: WriteLine;
}

type WriteLine = {
  (msg: string): void;
  <T extends object>(facts: T & LogFacts<T>, msg: string): void;
};

/** Each line starts with its level and the UTC time. */
export function openJsonLog(level: string, target: { write(line: string): void }): JsonLog {
  return pino({ ...form, level }, target);
}

const form: LoggerOptions = {
  base: null,
  formatters: { level: (level) => ({ level }) },
  timestamp: () => `,"time":"${logTime()}"`,
};
