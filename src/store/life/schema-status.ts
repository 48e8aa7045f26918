import { migrations, newestSchema } from "../migrations/index.ts";
import { openDatabase } from "../open-database.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { readPostgresSchema } from "../postgres/postgres.ts";
import { readSqliteSchema } from "../sqlite/sqlite.ts";

/** How far the tables of a store are. */
export interface SchemaStatus {
  /** The store as it may be printed. */
  store: string;
  /** The last step that was made. */
  schema: number;
  /** The last step that this program knows; a store beyond it belongs to a newer one. */
  newest: number;
  pending: { number: number; name: string }[];
}

/** Looks at a store without changing it. Throws store_not_found and store_unreadable. */
export async function readSchemaStatus(data: string): Promise<SchemaStatus> {
  const schema = isPostgresAddress(data) ? await readPostgresSchema(data) : readSqliteSchema(data);
  const pending = migrations.slice(schema).map(({ name, number }) => ({ name, number }));
  return { newest: newestSchema, pending, schema, store: toShownStore(data) };
}

/** Brings a store up to date and gives its status then. */
export async function migrateStore(data: string): Promise<SchemaStatus> {
  const database = openDatabase(data);
  await database.check().finally(() => database.close());
  return readSchemaStatus(data);
}
