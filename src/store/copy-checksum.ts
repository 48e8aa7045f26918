import { createHash } from "node:crypto";
import type { TenantTable } from "./copied-tables.ts";
import { readRows } from "./copy-rows.ts";
import type { TenantRows } from "./open-database.ts";

/** Equal for two tables with the same rows, whichever database they are in. */
export interface Fingerprint {
  count: number;
  /** SHA-256 of all rows in order, hex. */
  hash: string;
}

export async function checksumOf(
  rows: TenantRows,
  tenantId: number,
  table: TenantTable,
): Promise<Fingerprint> {
  const hash = createHash("sha256");
  let count = 0;
  let after: number[] | null = null;
  for (;;) {
    const batch = await readRows(rows, tenantId, table, after);
    if (batch.length === 0) return { count, hash: hash.digest("hex") };
    for (const row of batch) hash.update(toCanonicalText(row));
    count += batch.length;
    after = table.key.map((column) => Number(batch.at(-1)?.[column]));
  }
}

/** Databases list columns in different orders, and one has no Booleans. */
function toCanonicalText(row: Readonly<Record<string, unknown>>): string {
  const columns = Object.keys(row).sort();
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column];
      return typeof value === "boolean" ? Number(value) : value;
    }),
  );
}
