import type { Json } from "./builders.ts";
import type { Harness } from "./harness.ts";

/** The events and audit rows that some work wrote, with parsed JSON. */
export interface Written {
  events: Json[];
  entries: Json[];
}

/** Does the work and returns the events and audit rows that it wrote. */
export async function writtenBy(harness: Harness, work: () => Promise<unknown>): Promise<Written> {
  const before = { events: idsOf(harness, "events"), audit: idsOf(harness, "audit") };
  await work();
  const added = (table: "audit" | "events") =>
    harness.store.rows(table).filter(({ id }) => !before[table].has(id));
  return {
    events: added("events").map((row) => ({ ...row, data: toValue(row.data) })),
    entries: added("audit").map((row) => ({
      ...row,
      after: toValue(row.after),
      before: toValue(row.before),
    })),
  };
}

const idsOf = (harness: Harness, table: string) => new Set(harness.store.rows(table).map(({ id }) => id));

const toValue = (text: unknown): unknown => JSON.parse(String(text));
