import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { OpenDatabase, TenantRows } from "../api.ts";
import { type OwnedTable, type OwnedTableFacts, ownedTables } from "../schema/database.ts";

export type CopiedRow = Readonly<Record<string, unknown>>;

/** The values of a table's key columns. Both databases order text alike. */
export type RowKey = readonly (number | string)[];

type SharedTable = "haulers" | "meta" | "tenants";

// Keeps the widest table below the maximum number of parameters.
const batchRows = 500;

export async function readShared(db: OpenDatabase["db"], table: SharedTable): Promise<CopiedRow[]> {
  const { rows } = await sql<CopiedRow>`select * from ${sql.table(table)} order by 1`.execute(db);
  return rows;
}

export async function insertShared(
  { db }: OpenDatabase,
  table: SharedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`${toInsert(table, rows)} on conflict do nothing`.execute(db);
}

export async function readRows(
  { own }: TenantRows,
  tenantId: number,
  table: CopiedTable,
  after: RowKey | null,
): Promise<CopiedRow[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const behind = after === null ? sql`` : sql`and (${key}) > (${sql.join(after)})`;
  const query = sql<CopiedRow>`select * from ${sql.table(table.name)} where tenant_id = ${tenantId} ${behind}
    order by ${key} limit ${sql.lit(batchRows)}`;
  return (await query.execute(own)).rows;
}

export async function insertRows(
  { own }: TenantRows,
  { name }: CopiedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  await toInsert(name, rows).execute(own);
}

export async function lastKey(
  { own }: TenantRows,
  tenantId: number,
  table: CopiedTable,
): Promise<RowKey | null> {
  const backwards = sql.join(table.key.map((column) => sql`${sql.ref(column)} desc`));
  const columns = sql.join(table.key.map((column) => sql.ref(column)));
  const query = sql<CopiedRow>`select ${columns} from ${sql.table(table.name)} where tenant_id = ${tenantId}
    order by ${backwards} limit 1`;
  const [row] = (await query.execute(own)).rows;
  return row === undefined ? null : keyOf(row, table);
}

export function keyOf(row: CopiedRow, { key }: CopiedTable): RowKey {
  return key.map((column) => row[column] as number | string);
}

export async function countRows({ own }: TenantRows, tenantId: number, table: CopiedTable): Promise<number> {
  const query = sql<{ total: number }>`select count(*) as total from ${sql.table(table.name)}
    where tenant_id = ${tenantId}`;
  return Number((await query.execute(own)).rows[0]?.total);
}

export async function setParents(
  source: TenantRows,
  to: OpenDatabase,
  tenantId: number,
  { name, parent = "" }: CopiedTable,
): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; parent: number }>`
      select id, ${sql.ref(parent)} as parent from ${sql.table(name)} where tenant_id = ${tenantId} and id > ${after}
      and ${sql.ref(parent)} is not null order by id limit ${sql.lit(batchRows)}`.execute(source.own);
    if (rows.length === 0) return;
    await to.write(tenantId, async ({ own }) => {
      for (const row of rows) await setParent(own, tenantId, name, parent, row);
    });
    after = rows.at(-1)?.id ?? after;
  }
}

async function setParent(
  own: Kysely<never> | TenantRows["own"],
  tenantId: number,
  table: string,
  column: string,
  row: { id: number; parent: number },
): Promise<void> {
  const query = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${row.parent}
    where tenant_id = ${tenantId} and id = ${row.id}`;
  await query.execute(own);
}

export function toInsert(table: string, rows: readonly CopiedRow[]) {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
  return sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`;
}

export interface CopiedTable {
  name: OwnedTable;
  key: readonly string[];
  parent?: string;
}

/** Ordered so that each table comes after the tables that it references. */
export const copiedTables: readonly CopiedTable[] = Object.entries(ownedTables).map(
  ([name, { seenBy: _, partOf: __, ...hints }]: [string, OwnedTableFacts]) => ({
    key: ["id"],
    ...hints,
    name: name as OwnedTable,
  }),
);

interface Fingerprint {
  count: number;
  hash: string;
}

/** Reads both stores in turn, because PostgreSQL ends idle transactions. Equal rows have equal fingerprints. */
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

/** Databases list columns in different orders, and SQLite has no Booleans. */
export function toCanonicalText(row: CopiedRow): string {
  const columns = Object.keys(row).sort();
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column];
      return typeof value === "boolean" ? Number(value) : value;
    }),
  );
}
