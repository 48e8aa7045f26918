import { inject } from "vitest";
import type { DatabaseKind, Row, TestDatabase } from "./databases.ts";
import { runOnPostgres } from "./postgres-bridge.ts";

let made = 0;

/** A database of its own for each store, copied from an empty store. */
export const postgres: DatabaseKind = {
  name: "PostgreSQL",
  create: () => createDatabase(inject("postgres").template),
};

/** An empty database, without even a store in it. */
export function createEmptyDatabase(): TestDatabase {
  return createDatabase("template1");
}

function createDatabase(template: string): TestDatabase {
  const { address, template: prefix } = inject("postgres");
  made += 1;
  const name = `${prefix}_${process.pid}_${made}`;
  const admin = (sql: string) => runOnPostgres(address, [{ sql }]);
  admin(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(address);
  url.pathname = name;
  return toTestDatabase(url.href, () => admin(`drop database ${name} with (force)`));
}

function toTestDatabase(data: string, drop: () => void): TestDatabase {
  const query = (sql: string, values: readonly (string | number | null)[] = []) =>
    runOnPostgres(data, [{ sql, values }])[0] ?? [];
  const tables = () =>
    query("select tablename from pg_tables where schemaname = current_schema() order by tablename").map(
      ({ tablename }) => String(tablename),
    );
  const columns = (table: string) =>
    query(
      "select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum",
      [table],
    ).map(({ attname }) => String(attname));
  const orders = new Map<string, string>();
  const toSelect = (table: string) => {
    const order = orders.get(table) ?? (columns(table).includes("id") ? "id" : "1, 2");
    orders.set(table, order);
    return `select * from ${table} order by ${order}`;
  };
  const ofEachTable = (toSql: (table: string) => string) => {
    const names = tables();
    const results = runOnPostgres(
      data,
      names.map((table) => ({ sql: toSql(table) })),
    );
    return names.map((table, index) => [table, results[index] ?? []] as const);
  };
  const updateWhere: TestDatabase["updateWhere"] = (table, where, changes) => {
    const { sql, values } = toUpdate(table, where, changes);
    if (query(sql, values).length === 0) throw new Error(`No row of ${table} has ${JSON.stringify(where)}.`);
  };
  return {
    data,
    rows: (table) => query(toSelect(table)),
    contents: () => Object.fromEntries(ofEachTable(toSelect)),
    rowCounts: () =>
      Object.fromEntries(
        ofEachTable((table) => `select count(*) as total from ${table}`).map(([table, rows]) => [
          table,
          Number(rows[0]?.total),
        ]),
      ),
    insert(table, row) {
      const names = Object.keys(row);
      const places = names.map((_, index) => `$${index + 1}`);
      const sql = `insert into ${table} (${names.join(", ")}) values (${places.join(", ")}) returning *`;
      const id = Number(query(sql, Object.values(row))[0]?.id);
      // SQLite goes on behind an id that was given; a sequence has to be told.
      if ("id" in row)
        query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`);
      return id;
    },
    update: (table, id, changes) => updateWhere(table, { id }, changes),
    updateWhere,
    multiply(table, id, copies) {
      const copied = columns(table)
        .filter((name) => name !== "id")
        .join(", ");
      const sql = `insert into ${table} (${copied}) select ${copied} from ${table}, generate_series(1, $1::int)
        where id = $2`;
      const withoutChecks = (role: string) => ({ sql: `set session_replication_role = ${role}` });
      runOnPostgres(data, [withoutChecks("replica"), { sql, values: [copies, id] }, withoutChecks("origin")]);
    },
    query: (sql) => query(sql),
    execute: (sql) => void query(sql),
    remove() {
      runOnPostgres(data, [], true);
      drop();
    },
  };
}

function toUpdate(table: string, where: Row, changes: Row) {
  const assigned = Object.keys(changes).map((name, index) => `${name} = $${index + 1}`);
  const first = assigned.length + 1;
  const matched = Object.keys(where).map((name, index) => `${name} = $${index + first}`);
  return {
    sql: `update ${table} set ${assigned.join(", ")} where ${matched.join(" and ")} returning 1`,
    values: [...Object.values(changes), ...Object.values(where)],
  };
}
