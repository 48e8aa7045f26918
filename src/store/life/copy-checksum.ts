import { createHash } from "node:crypto";
import type { TenantRows } from "../api.ts";
import type { CopiedTable } from "./copied-tables.ts";
import { type CopiedRow, keyOf, type RowKey, readRows } from "./copy-rows.ts";

/** A fingerprint that two tables with the same rows share, whichever databases they are in. */
export interface Fingerprint {
  count: number;
  /** SHA-256 of all rows in order, hex. */
  hash: string;
}

/**
 * Computes the fingerprints of a table in several stores, reading from each in turn. PostgreSQL ends a transaction that
 * idles too long, as one would while all of another store's large table is read.
 */
export async function checksumsOf(
  stores: readonly TenantRows[],
  tenantId: number,
  table: CopiedTable,
): Promise<Fingerprint[]> {
  const checksums = stores.map((rows) => new Checksum(rows, tenantId, table));
  for (let open = checksums; open.length > 0; ) {
    const left: Checksum[] = [];
    for (const checksum of open) if (await checksum.addBatch()) left.push(checksum);
    open = left;
  }
  return checksums.map((checksum) => checksum.end());
}

class Checksum {
  readonly #read: (after: RowKey | null) => Promise<CopiedRow[]>;
  readonly #table: CopiedTable;
  readonly #hash = createHash("sha256");
  #after: RowKey | null = null;
  #count = 0;

  constructor(rows: TenantRows, tenantId: number, table: CopiedTable) {
    this.#table = table;
    this.#read = (after) => readRows(rows, tenantId, table, after);
  }

  /** Adds the next rows; gives false when there are none. */
  async addBatch(): Promise<boolean> {
    const batch = await this.#read(this.#after);
    for (const row of batch) this.#hash.update(toCanonicalText(row));
    this.#count += batch.length;
    const last = batch.at(-1);
    if (last) this.#after = keyOf(last, this.#table);
    return last !== undefined;
  }

  end(): Fingerprint {
    return { count: this.#count, hash: this.#hash.digest("hex") };
  }
}

/** Databases list columns in different orders, and one has no Booleans. */
export function toCanonicalText(row: CopiedRow): string {
  const columns = Object.keys(row).sort();
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column];
      return typeof value === "boolean" ? Number(value) : value;
    }),
  );
}
