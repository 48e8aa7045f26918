import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { postgres } from "./postgres-database.ts";

/** A row of plain SQL values. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A fresh, empty database for a store, with direct access that bypasses the program. */
export interface TestDatabase {
  /** The value of --data. */
  data: string;
  /** The same address without a pooler, for work that needs a session. */
  direct: string;
  /** Every table with all its rows, in a fixed order. Two equal values prove that nothing changed in between. */
  contents(): Record<string, unknown[]>;
  /** Every table with its row count. Two equal values show that nobody added rows in between. */
  rowCounts(): Record<string, number>;
  rows(table: string): Record<string, unknown>[];
  /** Inserts a row that no operation can create yet. Returns its id. */
  insert(table: string, row: Row): number;
  /** Inserts rows with the same columns that no operation can create yet. Returns their ids in order. */
  insertAll(table: string, rows: readonly Row[]): number[];
  /** Updates the row with that id. */
  update(table: string, id: number, changes: Row): void;
  /** Updates the rows with these values. At least one must exist. */
  updateWhere(table: string, where: Row, changes: Row): void;
  /** Adds copies of the row with that id. */
  multiply(table: string, id: number, copies: number): void;
  /** Returns the rows of a query. */
  query(sql: string): Record<string, unknown>[];
  /** Runs a statement that changes the schema, to break a store. */
  execute(sql: string): void;
  /** Closes the test's own connection, the last one to the database. */
  close(): void;
  /** Closes the test's connection and removes the files. Close the store before. */
  remove(): void;
}

export interface DatabaseKind {
  name: string;
  create(): TestDatabase;
  /** Copies a database that has no connections. The two share nothing afterwards. */
  copy(original: TestDatabase): TestDatabase;
}

export const sqlite: DatabaseKind = {
  name: "SQLite",
  create: createFile,
  copy(original) {
    const database = createFile();
    copyFileSync(original.data, database.data);
    return database;
  },
};

function createFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-test-"));
  const data = join(folder, "store.db");
  let opened: SqliteDatabase.Database | undefined;
  // Connect late, because the program creates the file.
  const connection = () => {
    if (!opened) {
      opened = new SqliteDatabase(data, { timeout: 5_000 });
      opened.pragma("synchronous = off");
    }
    return opened;
  };
  const count = (table: string) =>
    Number(connection().prepare(`select count(*) from ${table}`).pluck().get());
  const rows = (table: string) =>
    connection().prepare(`select * from ${table} order by 1, 2`).all() as Record<string, unknown>[];
  const updateWhere: TestDatabase["updateWhere"] = (table, where, changes) => {
    const assigned = Object.keys(changes).map((name) => `${name} = ?`);
    const matched = Object.keys(where).map((name) => `${name} = ?`);
    const sql = `update ${table} set ${assigned.join(", ")} where ${matched.join(" and ")}`;
    const statement = connection().prepare(sql);
    const { changes: changed } = statement.run(...Object.values(changes), ...Object.values(where));
    if (changed === 0) throw new Error(`No row of ${table} has ${JSON.stringify(where)}.`);
  };
  const close = () => {
    opened?.close();
    opened = undefined;
  };
  const insertAll: TestDatabase["insertAll"] = (table, rows) => {
    const names = Object.keys(rows[0] ?? {});
    const sql = `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
    const statement = connection().prepare(sql);
    const run = () =>
      rows.map((row) => Number(statement.run(names.map((name) => row[name])).lastInsertRowid));
    return connection().transaction(run).immediate();
  };
  return {
    data,
    direct: data,
    rows,
    contents: () => Object.fromEntries(tablesOf(connection()).map((table) => [table, rows(table)])),
    rowCounts: () => Object.fromEntries(tablesOf(connection()).map((table) => [table, count(table)])),
    insert: (table, row) => Number(insertAll(table, [row])[0]),
    insertAll,
    update: (table, id, changes) => updateWhere(table, { id }, changes),
    updateWhere,
    multiply(table, id, copies) {
      const columns = connection().prepare(`select name from pragma_table_info(?)`).pluck().all(table);
      const copied = columns.filter((name) => name !== "id").join(", ");
      const sql = `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ?)
        insert into ${table} (${copied}) select ${copied} from ${table}, counted where id = ?`;
      connection().prepare(sql).run(copies, id);
    },
    query: (sql) => connection().prepare(sql).all() as Record<string, unknown>[],
    execute: (sql) => void connection().exec(sql),
    close,
    remove() {
      close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Leaves out tables that triggers maintain: they follow the other tables, and PostgreSQL does not have them. */
function tablesOf(connection: SqliteDatabase.Database): string[] {
  const sql =
    "select name from sqlite_schema where type = 'table' and name not in ('job_counts', 'sqlite_sequence', 'table_revisions') order by name";
  return connection.prepare(sql).pluck().all() as string[];
}

/** The databases of the test matrix. */
export const databases: readonly DatabaseKind[] = [sqlite, postgres];
