import type { Migration } from "./index.ts";

const columns = ["off_from", "off_reason", "off_until"];

const statements = ["drivers", "trucks"]
  .flatMap((table) => columns.map((column) => `alter table ${table} add column ${column} text;`))
  .join("\n");

/** The days on which a driver or a truck is off. */
export const absences: Migration = {
  number: 2,
  name: "absences",
  phase: "expand",
  oldestProgram: 1,
  postgres: statements,
  sqlite: statements,
};
