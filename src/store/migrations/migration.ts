/** One step of the schema, forward only; shipped steps never change. */
export interface Migration {
  /** 1, 2, 3 …; the store keeps the highest it has run. */
  number: number;
  name: string;
  /**
   * The same tables and columns for each database, in its own types. A step that only makes SQLite faster has nothing for
   * PostgreSQL.
   */
  postgres?: string;
  sqlite: string;
}
