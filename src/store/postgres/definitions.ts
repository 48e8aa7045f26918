import { migrations } from "../migrations/index.ts";
import type { Definition } from "../schema/table-facts.ts";
import type { PooledConnection } from "./pooled-connection.ts";
import { readRows } from "./schema.ts";

/** What a database should have and has; `expected` is null where the server does not let anybody find out. */
export interface PostgresDefinitions {
  expected: Definition[] | null;
  found: Definition[];
}

/**
 * Reads what the store of a connection has, and what the migrations make: they make temporary tables in a transaction that
 * is taken back, so nothing changes. A server that takes no changes, and a user who may make no temporary tables, cannot
 * tell.
 */
export async function readPostgresDefinitions(connection: PooledConnection): Promise<PostgresDefinitions> {
  const [here] = await readRows<{ schema: string }>(connection, "select current_schema() as schema");
  const found = await readDefinitions(connection, `'${(here?.schema ?? "").replaceAll("'", "''")}'`);
  try {
    await connection.begin("begin", "set local search_path = pg_temp");
    for (const { postgres } of migrations)
      if (postgres !== undefined) await connection.command(inTemporarySchema(postgres));
    const temporary = "(select nspname from pg_namespace where oid = pg_my_temp_schema())";
    return { expected: await readDefinitions(connection, temporary), found };
  } catch {
    return { expected: null, found };
  } finally {
    await connection.rollBack();
  }
}

/** Functions are never looked for among what is temporary, unless they are called by its name. */
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
  const indexes = await readRows<{ table: string; index: string; text: string }>(
    connection,
    `select t.relname as "table", c.relname as "index", pg_get_indexdef(i.indexrelid) as text
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
        join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = ${schema} and i.indisvalid and not i.indisprimary order by c.relname`,
  );
  const triggers = await readRows<{ table: string; trigger: string; text: string }>(
    connection,
    `select c.relname as "table", t.tgname as "trigger", pg_get_triggerdef(t.oid) as text
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and not t.tgisinternal order by t.tgname`,
  );
  const functions = await readRows<{ function: string; text: string }>(
    connection,
    `select p.proname as "function", pg_get_functiondef(p.oid) as text
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = ${schema} and p.proname like 'words\\_%' order by p.proname`,
  );
  const tables = [...new Set(columns.map(({ table }) => table))];
  return [
    ...tables.map((table): Definition => ({ kind: "table", name: table, table, text: "" })),
    ...columns.map(
      ({ column, table, text }): Definition => ({ kind: "column", name: `${table}.${column}`, table, text }),
    ),
    ...indexes.map(
      ({ index, table, text }): Definition => ({
        kind: "index",
        name: index,
        table,
        text: withoutSchema(text),
      }),
    ),
    ...functions.map(
      ({ function: name, text }): Definition => ({
        kind: "function",
        name,
        table: "",
        text: withoutSchema(text),
      }),
    ),
    ...triggers.map(
      ({ table, text, trigger }): Definition => ({
        kind: "trigger",
        name: trigger,
        table,
        text: withoutSchema(text),
      }),
    ),
  ];
}

/** The statement that makes an index, a trigger or a function, in whatever schema is searched. */
const withoutSchema = (text: string) =>
  text.replace(/ ON (ONLY )?(?:"[^"]+"|\w+)\./, " ON $1").replace(/(?:"[^"]+"|\w+)\.(?=words_\w+\()/g, "");
