import { toBaselineOnPostgres } from "./0001-baseline-postgres.ts";
import { toBaselineOnSqlite } from "./0001-baseline-sqlite.ts";

/** Built only when a store needs these long statements. */
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
 * The effect on older programs. "expand" only adds columns that may be null or have defaults; "migrate" moves data;
 * both keep older programs working. "contract" removes what programs since `oldestProgram` do not use. "closed" locks
 * older programs out.
 */
export type Phase = "closed" | "contract" | "expand" | "migrate";

/** A released step never changes. There is no way back. */
export interface Migration {
  number: number;
  name: string;
  phase: Phase;
  oldestProgram: number;
  postgres?: string;
  sqlite: string;
}
