import { systemClock, toEpochMs } from "../../runtime/clock.ts";
import type { Screen } from "../context.ts";
import { tellJson } from "./tell.ts";

/** Tells what whoever operates a server should know as a record among those of its log, whose every line is JSON. */
export function logNote(log: Pick<Screen, "write">, note: string): void {
  tellJson(log, toWarning({ msg: note }));
}

/** A warning as pino writes one. */
export function toWarning<T extends object>(facts: T): { level: number; time: number } & T {
  return { level: 40, time: toEpochMs(systemClock.now()), ...facts };
}
