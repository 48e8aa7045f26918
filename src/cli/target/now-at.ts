import { systemClock, type Timestamp } from "../../runtime/clock.ts";
import type { Target } from "./target.ts";

/** The time at a target. A store has its own clock; a server's is unknown, so this machine's stands in. */
export function nowAt(target: Target): Timestamp {
  return target.kind === "store" ? target.service.clock.now() : systemClock.now();
}
