import { eventually } from "./eventually.ts";
import type { Harness } from "./harness.ts";

/**
 * Retries on PostgreSQL, where a server notices changes to tokens, people, tenants, and the clock within a second.
 * SQLite notices at once, so there it tries once.
 */
export function onceNoticed<T>({ database }: Harness, work: () => Promise<T>): Promise<T> {
  return database.name === "SQLite" ? work() : eventually(work);
}
