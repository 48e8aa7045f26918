import { toBaselineOnPostgres } from "./0001-baseline-postgres.ts";
import { toBaselineOnSqlite } from "./0001-baseline-sqlite.ts";
import type { Migration } from "./migration.ts";

/** The tables of version 0.1.0. The statements are long, so they are built only when a store needs them. */
export const baseline: Migration = {
  number: 1,
  name: "baseline",
  phase: "closed",
  oldestProgram: 1,
  get postgres() {
    return toBaselineOnPostgres();
  },
  get sqlite() {
    return toBaselineOnSqlite();
  },
};
