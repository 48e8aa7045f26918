import type { JsonLog } from "../runtime/json-log.ts";
import type { Readiness } from "./readiness.ts";

/**
 * Passes on what is found out of a store, and has the log say when it does not answer in time and when it does again
 * (OP-362): a database that hangs gives no error that would be logged otherwise.
 */
export function tellLate(
  readiness: () => Promise<Readiness>,
  log: Pick<JsonLog, "error" | "warn">,
): () => Promise<Readiness> {
  let isLate = false;
  return async () => {
    const found = await readiness();
    const wasLate = isLate;
    isLate = !found.isReady && found.check === "time";
    if (isLate && !wasLate) log.error({ check: "time" }, "the store does not answer in time");
    if (wasLate && !isLate) log.warn("the store answers again");
    return found;
  };
}
