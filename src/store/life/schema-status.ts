import { failure } from "../../errors/errors.ts";
import { migrations, newestSchema } from "../migrations/index.ts";
import { openDatabase } from "../open-database.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { readPostgresSchema } from "../postgres/postgres.ts";
import { readSqliteSchema } from "../sqlite/sqlite.ts";

/** How far the tables of a store are migrated. */
export interface SchemaStatus {
  /** The store as it may be printed. */
  store: string;
  /** The last migration that the tables have had. */
  schema: number;
  /** The last migration that this program knows. A store beyond it belongs to a newer program. */
  newest: number;
  pending: { number: number; name: string }[];
}

/** Looks at a store without changing it. Throws store_not_found and store_unreadable. */
export async function readSchemaStatus(data: string): Promise<SchemaStatus> {
  const schema = isPostgresAddress(data) ? await readPostgresSchema(data) : readSqliteSchema(data);
  const pending = migrations.slice(schema).map(({ name, number }) => ({ name, number }));
  return { newest: newestSchema, pending, schema, store: toShownStore(data) };
}

/** Migrates a store and gives its new status. Throws store_unavailable for one that is read-only. */
export async function migrateStore(data: string): Promise<SchemaStatus> {
  const database = openDatabase(data);
  await database.check().finally(() => database.close());
  const status = await readSchemaStatus(data);
  if (status.pending.length === 0) return status;
  // A file that cannot be written was read, and brought up to date, as a copy.
  throw failure("store_unavailable", `${status.store} is read-only, so it stays at schema ${status.schema}.`);
}
