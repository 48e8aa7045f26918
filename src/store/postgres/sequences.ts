import { type Kysely, sql } from "kysely";
import type { Database } from "../schema/database.ts";

/** The last id that each numbered table has given out. */
export async function readSequences(db: Kysely<Database>): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; last: number | null }>`
    select relname as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), 'id')::regclass) as last
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and attname = 'id' and attidentity <> ''`.execute(db);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last ?? 0]));
}

/** Keeps ids up to these from being given out. */
export async function raiseSequences(
  db: Kysely<Database>,
  last: Readonly<Record<string, number>>,
): Promise<void> {
  const known = await readSequences(db);
  for (const [name, id] of Object.entries(last)) {
    if (id <= (known[name] ?? Number.POSITIVE_INFINITY)) continue;
    await sql`select setval(pg_get_serial_sequence(quote_ident(${name}), 'id'), ${id})`.execute(db);
  }
}
