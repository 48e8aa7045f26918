import type { Bed } from "./bed.ts";
import type { Json } from "./builders.ts";

/** What some work left behind: events and audit rows, their JSON read. */
export interface Written {
  events: Json[];
  entries: Json[];
}

/** Does the work and gives the events and audit rows that it wrote. */
export async function writtenBy(bed: Bed, work: () => Promise<unknown>): Promise<Written> {
  const before = { events: idsOf(bed, "events"), audit: idsOf(bed, "audit") };
  await work();
  const added = (table: "audit" | "events") =>
    bed.store.rows(table).filter(({ id }) => !before[table].has(id));
  return {
    events: added("events").map((row) => ({ ...row, data: toValue(row.data) })),
    entries: added("audit").map((row) => ({
      ...row,
      after: toValue(row.after),
      before: toValue(row.before),
    })),
  };
}

const idsOf = (bed: Bed, table: string) => new Set(bed.store.rows(table).map(({ id }) => id));

const toValue = (text: unknown): unknown => JSON.parse(String(text));
