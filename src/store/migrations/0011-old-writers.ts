import type { Migration } from "./migration.ts";

/** A job's time of change has a default on PostgreSQL too, for whoever inserts a job without it. */
export const oldWriters: Migration = {
  name: "old-writers",
  number: 11,
  phase: "expand",
  oldestProgram: 10,
  postgres: "alter table jobs alter column changed_on set default (clock_timestamp() at time zone 'utc');",
  sqlite: "",
};
