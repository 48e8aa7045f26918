import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";
import type { Phase } from "../migrations/index.ts";
import { migrations, newestSchema } from "../migrations/index.ts";
import type { StoreSchema } from "../migrations/schema-fit.ts";
import { openDatabase } from "../open-database.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { readPostgresSchema } from "../postgres/postgres.ts";
import { readSqliteSchema } from "../sqlite/sqlite.ts";

export interface SchemaStatus {
  store: string;
  schema: number;
  newest: number;
  oldest_program: number;
  pending: PendingStep[];
}

interface PendingStep {
  number: number;
  name: string;
  phase: Phase;
  oldest_program: number;
}

/** Older programs refuse every newer file. */
const toFileSchema = (schema: number): StoreSchema => ({ oldestProgram: schema, schema });

export async function readSchemaStatus(data: string, env?: Environment): Promise<SchemaStatus> {
  const { oldestProgram, schema } = isPostgresAddress(data)
    ? await readPostgresSchema(data, env)
    : toFileSchema(readSqliteSchema(data));
  const pending = migrations
    .slice(schema)
    .map(({ name, number, phase, ...step }) => ({ name, number, oldest_program: step.oldestProgram, phase }));
  return { newest: newestSchema, oldest_program: oldestProgram, pending, schema, store: toShownStore(data) };
}

/** Throws store_unavailable for a read-only store. */
export async function migrateStore(data: string, env?: Environment): Promise<SchemaStatus> {
  const database = openDatabase(data, { env });
  await database.check().finally(() => database.close());
  const status = await readSchemaStatus(data, env);
  if (status.pending.length === 0) return status;
  // For a read-only file, the program migrated a copy in memory.
  throw failure("store_unavailable", `${status.store} is read-only, so it stays at schema ${status.schema}.`);
}
