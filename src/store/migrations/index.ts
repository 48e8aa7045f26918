import { toBaselineOnPostgres } from "./0001-baseline-postgres.ts";
import { toBaselineOnSqlite } from "./0001-baseline-sqlite.ts";

/** The tables of version 0.1.0. The statements are long, so they are built only when a store needs them. */
const baseline: Migration = {
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

export const migrations: readonly Migration[] = [baseline];

export const newestSchema = migrations.length;

/**
 * The effect of a step on programs that do not know it yet. "expand" only adds, for example a column that may be null
 * or has a default, and "migrate" moves stored data: both leave older programs working. "contract" removes something
 * that no program as new as `oldestProgram` uses. "closed" locks out every older program.
 */
export type Phase = "closed" | "contract" | "expand" | "migrate";

/** One step of the schema, forward only. A released step never changes. */
export interface Migration {
  /** 1, 2, 3 …; the store keeps the highest that has run. */
  number: number;
  name: string;
  phase: Phase;
  oldestProgram: number;
  /** The same tables and columns for each database, in its own types. Missing for a step of SQLite alone. */
  postgres?: string;
  sqlite: string;
}
