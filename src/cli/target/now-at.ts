import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import type { Target } from "./target.ts";

/** The time by the clock of a target: a store has its own; a server's is not known, and this machine's is near it. */
export function nowAt(target: Target): Timestamp {
  return target.kind === "store" ? target.service.clock.now() : systemClock.now();
}
