import { migrations } from "../migrations/index.ts";
import type { Definition } from "../schema/table-facts.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import { readRows } from "./schema.ts";

export interface PostgresDefinitions {
  expected: Definition[] | null;
  found: Definition[];
}

/** Creates the expected objects as temporary tables and rolls back. `expected` is null if that is not allowed. */
export async function readPostgresDefinitions(connection: PooledConnection): Promise<PostgresDefinitions> {
  const [here] = await readRows<{ schema: string }>(connection, "select current_schema() as schema");
  const found = await readDefinitions(connection, `'${(here?.schema ?? "").replaceAll("'", "''")}'`);
  try {
    await connection.begin("begin", "set local search_path = pg_temp");
    for (const { postgres } of migrations)
      if (postgres !== undefined) await connection.command(inTemporarySchema(postgres));
    const temporary = "(select nspname from pg_namespace where oid = pg_my_temp_schema())";
    const expected = await readDefinitions(connection, temporary);
    // Other programs may have tables in the schema.
    const own = new Set(expected.map(({ table }) => table));
    return { expected, found: found.filter(({ table }) => own.has(table)) };
  } catch {
    return { expected: null, found };
  } finally {
    await connection.rollBack();
  }
}

/** PostgreSQL finds temporary functions only by the qualified name. */
const inTemporarySchema = (statements: string) => statements.replace(/\bwords_\w+(?=\()/g, "pg_temp.$&");

async function readDefinitions(connection: PooledConnection, schema: string): Promise<Definition[]> {
  const columns = await readRows<{ table: string; column: string; text: string }>(
    connection,
    `select c.relname as "table", a.attname as "column",
        format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as text
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attname`,
  );
  const derived = await readRows<Definition>(
    connection,
    `select 'index' as kind, t.relname as "table", c.relname as name, pg_get_indexdef(i.indexrelid) as text
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
        join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = ${schema} and i.indisvalid and not i.indisprimary
        and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('u', 'x'))
    union all select 'function', '', p.proname, pg_get_functiondef(p.oid)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = ${schema} and p.proname like 'words\\_%'
    union all select 'trigger', c.relname, t.tgname, pg_get_triggerdef(t.oid)
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and not t.tgisinternal
    union all select 'constraint', c.relname, o.conname, pg_get_constraintdef(o.oid)
      from pg_constraint o join pg_class c on c.oid = o.conrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and o.contype in ('c', 'f', 'u', 'x')
    union all select 'rule', c.relname, r.rulename, pg_get_ruledef(r.oid)
      from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relkind in ('r', 'p')
    order by 1, 3`,
  );
  const tables = [...new Set(columns.map(({ table }) => table))];
  return [
    ...tables.map((table): Definition => ({ kind: "table", name: table, table, text: "" })),
    ...columns.map(
      ({ column, table, text }): Definition => ({ kind: "column", name: `${table}.${column}`, table, text }),
    ),
    ...derived.map((one): Definition => ({ ...one, text: withoutSchema(one.text) })),
  ];
}

const withoutSchema = (text: string) =>
  text.replace(/ ON (ONLY )?(?:"[^"]+"|\w+)\./, " ON $1").replace(/(?:"[^"]+"|\w+)\.(?=words_\w+\()/g, "");
