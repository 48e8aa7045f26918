/**
 * What a step does to programs that do not know it yet (OP-329). "expand" only adds, for example a column that may be null or
 * has a default, and "migrate" moves stored data: both let older programs go on. "contract" removes what no program as new as
 * `oldestProgram` uses. "closed" shuts out every older program.
 */
export type Phase = "closed" | "contract" | "expand" | "migrate";

/** One step of the schema, forward only; shipped steps never change. */
export interface Migration {
  /** 1, 2, 3 …; the store keeps the highest it has run. */
  number: number;
  name: string;
  phase: Phase;
  /** The schema of the oldest program that can still read and write the store after this step. */
  oldestProgram: number;
  /** The same tables and columns for each database, in its own types. A step for SQLite alone leaves this out. */
  postgres?: string;
  sqlite: string;
}
