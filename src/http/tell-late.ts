import type { JsonLog } from "../runtime/json-log.ts";
import type { Readiness } from "./readiness.ts";

/** What the log says when it begins and when it ends. Everything else is told by who meets it. */
const sentences = {
  time: ["the store does not answer in time", "the store answers again"],
  read: ["the store cannot be relied on", "the store works again"],
} as const;

type ToldCheck = keyof typeof sentences;

/**
 * Passes on what is found out of a store, and has the log say when it does not answer in time or cannot be read, and when
 * that is over (OP-362): a database that hangs gives no error that would be logged otherwise, and one that nobody writes to
 * no error that says anything of the store.
 */
export function tellLate(
  readiness: () => Promise<Readiness>,
  log: Pick<JsonLog, "error" | "warn">,
): () => Promise<Readiness> {
  let told: ToldCheck | null = null;
  return async () => {
    const found = await readiness();
    const check = found.isReady || !isTold(found.check) ? null : found.check;
    if (check === told) return found;
    if (told && !check) log.warn(sentences[told][1]);
    if (check && !found.isReady) {
      const reason = check === "read" ? { reason: found.reason } : {};
      log.error({ check, ...reason }, sentences[check][0]);
    }
    told = check;
    return found;
  };
}

const isTold = (check: string): check is ToldCheck => Object.hasOwn(sentences, check);
