import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import type { DatabaseKind, Row, TestDatabase } from "./databases.ts";
import { runOnPostgres } from "./postgres-bridge.ts";

/** A separate database for each store, copied from an empty store or from the named database. */
export const postgres: DatabaseKind = {
  name: "PostgreSQL",
  create: () => createDatabase(inject("postgres").template),
  copy: (original) => createDatabase(new URL(original.data).pathname.slice(1)),
};

/** Creates a database without a store. */
export function createEmptyDatabase(): TestDatabase {
  return createDatabase("template1");
}

function createDatabase(template: string): TestDatabase {
  const { address, template: prefix, through } = inject("postgres");
  // Not a counter: a test that resets modules would restart it and reuse a name.
  const name = `${prefix}_${randomBytes(8).toString("hex")}`;
  const admin = (...statements: string[]) =>
    runOnPostgres(
      address,
      statements.map((sql) => ({ sql })),
    );
  // A pooler may keep a connection to an unused database.
  const clear = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}' and usename = current_user`;
  admin(clear, `create database ${name} template ${template} strategy file_copy`);
  const toDatabase = (server: string) => Object.assign(new URL(server), { pathname: name }).href;
  const drop = () => void admin(`drop database ${name} with (force)`);
  return toTestDatabase(toDatabase(through), toDatabase(address), drop);
}

interface OrderedTable {
  name: string;
  /** The columns to sort its rows by. */
  order: string;
}

// Read the catalog itself: the views of information_schema take six times as long.
const tablesWithOrder = `select relname as name, case when exists (select from pg_attribute
  where attrelid = pg_class.oid and attname = 'id') then 'id' else '1, 2' end as "order"
  from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`;

const toSelect = ({ name, order }: OrderedTable) => `select * from ${name} order by ${order}`;

/** The program opens `data`. Tests use `direct`, which bypasses any pooler. */
function toTestDatabase(data: string, direct: string, drop: () => void): TestDatabase {
  const query = (sql: string, values: readonly (string | number | null)[] = []) =>
    runOnPostgres(direct, [{ sql, values }])[0] ?? [];
  const columns = (table: string) =>
    query(
      "select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum",
      [table],
    ).map(({ attname }) => String(attname));
  const orders = new Map<string, string>();
  const tables = () => query(tablesWithOrder) as unknown as OrderedTable[];
  const close = () => void runOnPostgres(direct, [], true);
  const insertAll: TestDatabase["insertAll"] = (table, rows) => {
    const names = Object.keys(rows[0] ?? {}).join(", ");
    const sql = `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`;
    const made = query(`${sql} returning *`, [JSON.stringify(rows)]);
    // SQLite continues after a given id, but a PostgreSQL sequence must be set.
    if (rows.some((row) => "id" in row))
      query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`);
    return made.map(({ id }) => Number(id));
  };
  const updateWhere: TestDatabase["updateWhere"] = (table, where, changes) => {
    const { sql, values } = toUpdate(table, where, changes);
    if (query(sql, values).length === 0) throw new Error(`No row of ${table} has ${JSON.stringify(where)}.`);
  };
  return {
    data,
    direct,
    rows(table) {
      const order = orders.get(table) ?? (columns(table).includes("id") ? "id" : "1, 2");
      orders.set(table, order);
      return query(toSelect({ name: table, order }));
    },
    contents() {
      const found = tables();
      const results = runOnPostgres(
        direct,
        found.map((table) => ({ sql: toSelect(table) })),
      );
      return Object.fromEntries(found.map(({ name }, index) => [name, results[index] ?? []]));
    },
    rowCounts() {
      const counts = tables().map(({ name }) => `select '${name}' as name, count(*) as total from ${name}`);
      return Object.fromEntries(
        query(counts.join(" union all ")).map(({ name, total }) => [name, Number(total)]),
      );
    },
    insert: (table, row) => Number(insertAll(table, [row])[0]),
    insertAll,
    update: (table, id, changes) => updateWhere(table, { id }, changes),
    updateWhere,
    multiply(table, id, copies) {
      const copied = columns(table)
        .filter((name) => name !== "id")
        .join(", ");
      const sql = `insert into ${table} (${copied}) select ${copied} from ${table}, generate_series(1, $1::int)
        where id = $2`;
      const withoutChecks = (role: string) => ({ sql: `set session_replication_role = ${role}` });
      runOnPostgres(direct, [
        withoutChecks("replica"),
        { sql, values: [copies, id] },
        withoutChecks("origin"),
      ]);
    },
    query: (sql) => query(sql),
    execute: (sql) => void query(sql),
    close,
    remove() {
      close();
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
