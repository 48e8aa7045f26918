import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/store/open-database.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../docs/operations/postgresql.md", import.meta.url)),
  "utf8",
);
const [, referenceText = "", distributedText = ""] =
  /create_reference_table\(name\)([^;]*);[^;]*create_distributed_table([^;]*);/s.exec(page) ?? [];
const namesIn = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, name = ""]) => name);
const references = namesIn(referenceText);
const distributed = namesIn(distributedText).filter((name) => name !== "tenant_id");

let read: (sql: string) => string[];
beforeAll(async () => {
  const database = createEmptyDatabase();
  const store = openDatabase(database.data, { create: true });
  await store.check();
  await store.close();
  read = (sql) => database.query(sql).map(({ name }) => String(name));
  return () => database.remove();
});

/** What each row of the table in the chapter must name. */
const uses: [row: string, sql: string][] = [
  [
    "triggers with transition tables",
    "select tgname as name from pg_trigger where tgnewtable is not null or tgoldtable is not null",
  ],
  [
    "other triggers",
    "select tgname as name from pg_trigger where not tgisinternal and tgnewtable is null and tgoldtable is null",
  ],
  [
    "sequences of several tables",
    `select distinct substring(column_default from '''(\\w+)''') as name from information_schema.columns
      where table_schema = 'public' and column_default like 'nextval%'`,
  ],
  [
    "unique keys without the tenant",
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where i.indisunique and t.relnamespace = 'public'::regnamespace and not exists (select from pg_attribute a
        where a.attrelid = t.oid and a.attnum = any (i.indkey) and a.attname = 'tenant_id')`,
  ],
  [
    "foreign keys without the tenant",
    `select t.relname || '.' || a.attname as name from pg_constraint f join pg_class t on t.oid = f.conrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = f.conkey[1]
      where f.contype = 'f' and t.relnamespace = 'public'::regnamespace and a.attname <> 'tenant_id'`,
  ],
];

describe("the chapter about distributed databases", () => {
  it("places each table of the schema", () => {
    const tables = read("select tablename as name from pg_tables where schemaname = 'public'");
    expect([...references, ...distributed].toSorted()).toEqual(tables.toSorted());
  });

  it("distributes only tables that name the tenant", () => {
    const named = read(
      "select table_name as name from information_schema.columns where column_name = 'tenant_id'",
    );
    expect(distributed.filter((table) => !named.includes(table))).toEqual([]);
  });

  it("lets no copied table refer to a distributed one", () => {
    const links = read(`select conname as name from pg_constraint where contype = 'f'
      and conrelid::regclass::text in (${references.map((table) => `'${table}'`)})
      and confrelid::regclass::text in (${distributed.map((table) => `'${table}'`)})`);
    expect(links).toEqual([]);
  });

  it.each(uses)("names all %s", (row, sql) => {
    const [, cell = ""] = new RegExp(`^\\| ${row} \\| ([^|]*) \\|`, "m").exec(page) ?? [];
    const named = [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual(read(sql).toSorted());
  });
});
