import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type RevisionWatch, watchRevision } from "../../src/store/sqlite/revision.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { useTempFolder } from "../support/temp-folder.ts";

/** The ids of two tenants. */
const [acme, globex] = [1, 2];

/** Tables that affect the callers of every tenant. */
const sharedTables = ["haulers", "meta", "tenants", "tokens", "users"];

/** Tables that affect no cached answer. */
const unwatched = ["delivery_workers", "idempotency_keys"];

/** Returns the tenants whose revision increases when a table changes. */
function movedBy(table: string): string[] {
  if (unwatched.includes(table)) return [];
  return sharedTables.includes(table) ? ["acme", "globex", "shared"] : ["acme"];
}

describe("the revision of a tenant in a store file", () => {
  const folder = useTempFolder();
  const file = join(folder, "store.db");
  const connection = (path = file) => {
    const opened = new SqliteDatabase(path);
    // Write to one table at a time, without the rows that it references.
    opened.pragma("foreign_keys = off");
    onTestFinished(() => void opened.close());
    return opened;
  };
  const watch = (beside: SqliteDatabase.Database): RevisionWatch => {
    const opened = watchRevision(file, beside);
    onTestFinished(() => opened.close());
    return opened;
  };
  beforeAll(() => openSqlite(file, { create: true }).close());

  it("changes with each inserted, updated, or deleted row of any table", () => {
    const writer = connection();
    const reader = watch(writer);
    const tables = tablesOf(writer);
    expect(tables.length).toBeGreaterThan(28);
    const wrong: string[] = [];
    for (const table of tables) {
      for (const [change, sql] of changesOf(writer, table, acme)) {
        const before = revisionsOf(reader);
        writer.exec(sql);
        const after = revisionsOf(reader);
        const moved = Object.keys(before).filter((name) => before[name] !== after[name]);
        if (String(moved) !== String(movedBy(table))) wrong.push(`${change} of ${table} moves ${moved}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("ignores uncommitted and rolled back changes of the store and of others", () => {
    const [writer, other] = [connection(), connection()];
    const before = revisionsOf(watch(other));
    writer.exec("begin immediate");
    for (const table of ["trucks", "users"]) writer.exec(insertOf(writer, table, acme));
    // Use new watchers, which have no cached state.
    for (const beside of [writer, other]) expect(revisionsOf(watch(beside))).toEqual(before);
    writer.exec("rollback");
    for (const beside of [writer, other]) expect(revisionsOf(watch(beside))).toEqual(before);
  });

  it("changes with the commits of others, also while the store reads an older state", () => {
    const [writer, other] = [connection(), connection()];
    const reader = watch(other);
    other.exec("begin");
    other.prepare("select count(*) from trucks").get();
    const before = revisionsOf(reader);
    writer.exec(insertOf(writer, "trucks", acme));
    expect(revisionsOf(reader)).not.toEqual(before);
    other.exec("rollback");
  });

  it("comes with the row counts of each table and tenant", () => {
    const writer = connection();
    for (const table of tablesOf(writer)) {
      for (const tenant of [acme, globex, globex]) writer.exec(insertOf(writer, table, tenant));
      const [, , [, remove] = []] = changesOf(writer, table, acme);
      writer.exec(remove ?? "");
    }
    expect(keptCounts(writer)).toEqual(realCounts(writer));
  });
});

function revisionsOf(watch: RevisionWatch): Record<string, number | null> {
  return {
    acme: watch.current(acme, true),
    globex: watch.current(globex, true),
    shared: watch.current(null, true),
  };
}

/** Leaves out the search index, which changes with its source tables. */
function tablesOf(connection: SqliteDatabase.Database): string[] {
  const sql =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'search_%' and name not in ('job_counts', 'table_revisions')";
  return connection.prepare(sql).pluck().all() as string[];
}

/** Returns one statement of each kind. */
function changesOf(connection: SqliteDatabase.Database, table: string, tenant: number): [string, string][] {
  const [first = ""] = columnsOf(connection, table).map(({ name }) => name);
  const chosen = isOwned(connection, table) ? `where tenant_id = ${tenant}` : "";
  return [
    ["insert", insertOf(connection, table, tenant)],
    ["update", `update ${table} set ${first} = ${first} ${chosen}`],
    ["delete", `delete from ${table} ${chosen}`],
  ];
}

let numbers = 1_000;

/** Inserts a row without nulls and without duplicate unique values. */
function insertOf(connection: SqliteDatabase.Database, table: string, tenant: number): string {
  const columns = columnsOf(connection, table);
  const values = columns.map(({ name, type }) => {
    numbers += 1;
    if (name === "tenant_id") return tenant;
    return type === "TEXT" ? `'${numbers}'` : numbers;
  });
  return `insert into ${table} (${columns.map(({ name }) => name)}) values (${values})`;
}

function columnsOf(connection: SqliteDatabase.Database, table: string) {
  return connection.prepare("select name, type from pragma_table_info(?)").all(table) as {
    name: string;
    type: string;
  }[];
}

const isOwned = (connection: SqliteDatabase.Database, table: string) =>
  columnsOf(connection, table).some(({ name }) => name === "tenant_id");

/** The row counts that the store maintains, by tenant and table. Shared tables count under tenant 0. */
function keptCounts(connection: SqliteDatabase.Database) {
  const sql =
    "select tenant_id || ' ' || table_name as name, row_count from table_revisions where row_count <> 0";
  return toSorted(connection.prepare(sql).all() as { name: string; row_count: number }[]);
}

/** The same counts, computed from the rows. */
function realCounts(connection: SqliteDatabase.Database) {
  const watched = tablesOf(connection).filter((table) => !unwatched.includes(table));
  const counts = watched.flatMap((table) => [
    ...(isOwned(connection, table) ? [`select tenant_id, '${table}' as name from ${table}`] : []),
    ...(sharedTables.includes(table) ? [`select 0 as tenant_id, '${table}' as name from ${table}`] : []),
  ]);
  const sql = `select tenant_id || ' ' || name as name, count(*) as row_count from (${counts.join(" union all ")})
    group by 1`;
  return toSorted(connection.prepare(sql).all() as { name: string; row_count: number }[]);
}

const toSorted = (rows: { name: string; row_count: number }[]) =>
  rows.map(({ name, row_count }) => `${name}: ${row_count}`).sort();
