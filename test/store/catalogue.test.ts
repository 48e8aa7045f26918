import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { sqlite, type TestDatabase } from "../support/databases.ts";
import { postgres } from "../support/postgres-database.ts";

/** Tables without a tenant: about the store itself, or shared by all tenants. */
const shared = ["delivery_workers", "haulers", "meta", "tenants"];

/** Derived tables that only SQLite has. PostgreSQL computes their content. */
const onlyInSqlite = ["job_counts", "search_letters", "table_revisions"];

/** Indexes for lookups before the tenant is known: a token by its id, and a person's users. */
const beforeTenants = ["tokens_by_id", "tokens_by_maker", "users_by_person"];

describe("the tables", () => {
  let onSqlite: TestDatabase;
  let onPostgres: TestDatabase;
  beforeAll(async () => {
    onSqlite = sqlite.create();
    onPostgres = postgres.create();
    await openService({ create: true, data: onSqlite.data }).store.close();
  });
  afterAll(() => {
    onSqlite.remove();
    onPostgres.remove();
  });

  const query = (sql: string) => onPostgres.query(sql);

  it("have the same columns on both databases", () => {
    const inSqlite = onSqlite
      .query(
        "select m.name as table_name, c.name as column_name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'",
      )
      .filter(({ table_name }) => !onlyInSqlite.includes(String(table_name)))
      .map(({ column_name, table_name }) => `${table_name}.${column_name}`);
    const inPostgres = query(
      "select table_name, column_name from information_schema.columns where table_schema = 'public'",
    ).map(({ column_name, table_name }) => `${table_name}.${column_name}`);
    expect(inPostgres.sort()).toEqual(inSqlite.sort());
    expect(inPostgres.length).toBeGreaterThan(300);
  });

  it("can be read by the SQLite of older systems: with little nesting, and nothing of SQLite 3.44 and later", () => {
    const texts = onSqlite
      .query("select sql from sqlite_schema where sql is not null")
      .map(({ sql }) => String(sql));
    const depths = texts.map((text) => {
      const open = [...text.replace(/'(?:[^']|'')*'/g, "")].reduce(
        ({ depth, deepest }, one) => {
          const now = depth + Number(one === "(") - Number(one === ")");
          return { depth: now, deepest: Math.max(deepest, now) };
        },
        { deepest: 0, depth: 0 },
      );
      return open.deepest;
    });
    // SQLite 3.40 refuses to open the file at a depth of about 40.
    expect(Math.max(...depths)).toBeLessThan(32);
    expect(texts.filter((text) => /group_concat\([^()]*order by/i.test(text))).toEqual([]);
  });

  it("allow null in the same columns on both databases", () => {
    const inSqlite = onSqlite
      .query(
        "select m.name as table_name, c.name as column_name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%' and (c.\"notnull\" or c.pk)",
      )
      .filter(({ table_name }) => !onlyInSqlite.includes(String(table_name)))
      .map(({ column_name, table_name }) => `${table_name}.${column_name}`);
    const inPostgres = query(
      "select table_name, column_name from information_schema.columns where table_schema = 'public' and is_nullable = 'NO'",
    ).map(({ column_name, table_name }) => `${table_name}.${column_name}`);
    expect(inPostgres.sort()).toEqual(inSqlite.sort());
  });

  const keysAndIndexes = `select t.relname as table_name, i.relname as name, a.attname as first,
      x.indisprimary as is_primary
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
    where t.relnamespace = 'public'::regnamespace`;

  it("have keys and indexes that begin with the tenant on PostgreSQL, except for those that find the tenant", () => {
    const others = query(keysAndIndexes)
      .filter(({ first }) => first !== "tenant_id")
      .filter(({ table_name }) => !shared.includes(String(table_name)));
    expect(others.map(({ name }) => name).sort()).toEqual(beforeTenants);
    // Every tenant's table has a primary key with the tenant, except one that allows duplicate rows: two transactions
    // that insert the same row must neither wait for each other nor deadlock.
    const keyed = query(keysAndIndexes).filter(
      ({ is_primary, first }) => is_primary && first === "tenant_id",
    );
    const unkeyed = onPostgresTables().filter((name) => !keyed.some(({ table_name }) => table_name === name));
    expect(unkeyed.sort()).toEqual([...shared, "search_parts"].sort());
  });

  const onPostgresTables = () =>
    query("select tablename from pg_tables where schemaname = 'public'").map(({ tablename }) =>
      String(tablename),
    );

  it("have foreign keys that begin with the tenant on PostgreSQL, except for those to shared tables", () => {
    const keys =
      query(`select c.conrelid::regclass::text as table_name, c.confrelid::regclass::text as target,
        a.attname as first, b.attname as target_first
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
      where c.contype = 'f'`);
    const within = keys.filter(({ target }) => !shared.includes(String(target)));
    expect(within.length).toBeGreaterThan(30);
    expect(within.filter((key) => key.first !== "tenant_id" || key.target_first !== "tenant_id")).toEqual([]);
    const across = keys.filter(({ target }) => shared.includes(String(target)));
    expect(new Set(across.map(({ first }) => first))).toEqual(new Set(["tenant_id", "hauler_uuid"]));
  });

  it("have forced row-level security on PostgreSQL if they belong to tenants", () => {
    const open = query(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and not (relrowsecurity and relforcerowsecurity)",
    );
    expect(open.map(({ relname }) => relname).sort()).toEqual(shared);
    const policies = query("select tablename, policyname, permissive, cmd from pg_policies");
    expect(policies).toHaveLength(onPostgresTables().length - shared.length);
    expect(new Set(policies.map(({ policyname, cmd }) => `${policyname} ${cmd}`))).toEqual(
      new Set(["tenant_wall ALL"]),
    );
  });

  it("compare texts byte by byte on PostgreSQL, whatever the language of the database", () => {
    const others = query(
      "select table_name, column_name from information_schema.columns where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'",
    );
    expect(others).toEqual([]);
  });

  it("take ids from their own sequence on PostgreSQL; drivers use the sequence of users", () => {
    const ids = query(
      "select table_name, identity_generation, column_default from information_schema.columns where table_schema = 'public' and column_name = 'id'",
    );
    const others = ids.filter(({ identity_generation }) => identity_generation !== "BY DEFAULT");
    expect(others).toEqual([
      {
        table_name: "drivers",
        identity_generation: null,
        column_default: "nextval('users_id_seq'::regclass)",
      },
    ]);
  });
});
