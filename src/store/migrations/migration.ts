/**
 * What a step does to programs that do not know it yet (OP-329). "expand": it only adds what they need not know, a column that
 * may be null or has a default; they go on. "migrate": it moves what is stored, and they go on. "contract": it takes away
 * what no program uses any more that is as new as `oldestProgram`. "closed": programs before it refuse every newer store.
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
  /**
   * The same tables and columns for each database, in its own types. A step that only makes SQLite faster has nothing for
   * PostgreSQL.
   */
  postgres?: string;
  sqlite: string;
}
