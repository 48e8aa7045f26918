import { eventually } from "./eventually.ts";
import type { Harness } from "./harness.ts";

/**
 * Tries until it does not throw, on PostgreSQL: a server notices within a second what others change of tokens, people,
 * tenants and the clock. On SQLite it notices at once, so there is one try.
 */
export function onceNoticed<T>({ database }: Harness, work: () => Promise<T>): Promise<T> {
  return database.name === "SQLite" ? work() : eventually(work);
}
