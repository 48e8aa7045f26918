import { statSync } from "node:fs";
import { sql } from "kysely";
import type { Environment } from "../../runtime/environment.ts";
import { openDatabase } from "../open-database.ts";
import { isPostgresAddress } from "../postgres/address.ts";

export async function readStoreSize(
  data: string,
  env?: Environment,
): Promise<{ bytes: number; logBytes: number }> {
  if (!isPostgresAddress(data)) {
    const log = statSync(`${data}-wal`, { throwIfNoEntry: false });
    return { bytes: statSync(data).size, logBytes: log?.size ?? 0 };
  }
  const database = openDatabase(data, { env });
  try {
    const query = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
    const { rows } = await query.execute(database.db);
    return { bytes: Number(rows[0]?.bytes), logBytes: 0 };
  } finally {
    await database.close();
  }
}
