import { existsSync, linkSync, rmSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { systemClock } from "../../runtime/clock.ts";
import type { Environment } from "../../runtime/environment.ts";
import type { OpenDatabase, TenantRows } from "../api.ts";
import { type Hold, holdDeliveries } from "../held-deliveries.ts";
import { copyMark, oldestProgramKey } from "../metadata-keys.ts";
import { openDatabase } from "../open-database.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { metadataQueries } from "../queries/metadata.ts";
import {
  type CopiedRow,
  type CopiedTable,
  checksumsOf,
  copiedTables,
  countRows,
  insertRows,
  insertShared,
  keyOf,
  lastKey,
  readRows,
  readShared,
  setParents,
  toCanonicalText,
} from "./copy-rows.ts";
import { createPrivately } from "./put-in-place.ts";

export interface CopyProgress {
  table: string;
  done: number;
  total: number;
}

interface CopyReport {
  rows: number;
  tables: Readonly<Record<string, number>>;
}

/**
 * Copies a store or one tenant from one snapshot, and checks it. An interrupted copy continues. The copied tenants are
 * inactive until the end; afterward the deliveries are held. Throws store_exists and state_conflict.
 */
export async function copyStore(
  from: OpenDatabase,
  to: OpenDatabase,
  report: (progress: CopyProgress) => void,
  { hold, tenantId }: { hold: Hold; tenantId: number | null },
): Promise<CopyReport> {
  const { tables, tenants, meta } = await from.readAll((source) => copyRows(source, to, report, tenantId));
  // Read last, so that no copied row has a higher id.
  const last = await from.sequences();
  // Users and drivers share one series of ids.
  const people = Math.max(last.drivers ?? 0, last.users ?? 0);
  await to.raiseSequences({ ...last, drivers: people, users: people });
  await finish(to, tenants, meta, hold);
  return { rows: Object.values(tables).reduce((sum, count) => sum + count, 0), tables };
}

async function copyRows(
  source: TenantRows,
  to: OpenDatabase,
  report: (progress: CopyProgress) => void,
  tenantId: number | null,
): Promise<{ tables: Record<string, number>; tenants: CopiedRow[]; meta: CopiedRow[] }> {
  const tenants = (await readShared(source.all, "tenants")).filter(
    ({ id }) => tenantId === null || Number(id) === tenantId,
  );
  if (tenantId !== null && tenants.length === 0)
    throw failure("record_not_found", `The store has no tenant ${tenantId}.`, "tenant");
  const meta = await readShared(source.all, "meta");
  requireWhole(meta);
  await begin(to, JSON.stringify(tenants.map(({ id, name, created_on }) => [id, name, created_on])));
  const inactive = tenants.map((tenant) => ({ ...tenant, is_active: 0 }));
  await insertShared(to, "tenants", inactive);
  const haulers = await readHaulers(source.all, tenantId);
  await insertShared(to, "haulers", haulers);
  requireSameRows("haulers", "uuid", haulers, await readShared(to.db, "haulers"));
  const tables: Record<string, number> = {};
  for (const tenant of tenants) {
    const counts = await copyTenant(source, to, Number(tenant.id), report);
    for (const [table, count] of Object.entries(counts)) tables[table] = (tables[table] ?? 0) + count;
  }
  return { tables, tenants, meta };
}

async function readHaulers(db: OpenDatabase["db"], tenantId: number | null): Promise<CopiedRow[]> {
  const haulers = await readShared(db, "haulers");
  if (tenantId === null) return haulers;
  const rows = await db
    .selectFrom("hauler_connections")
    .where("tenant_id", "=", tenantId)
    .select("hauler_uuid")
    .execute();
  const own = new Set<unknown>(rows.map(({ hauler_uuid }) => hauler_uuid));
  return haulers.filter(({ uuid }) => own.has(uuid));
}

async function begin(to: OpenDatabase, source: string): Promise<void> {
  const meta = await readShared(to.db, "meta");
  const mark = meta.find(({ key }) => key === copyMark)?.value;
  if (mark === source) return;
  if (mark !== undefined) {
    throw failure(
      "store_exists",
      "The target holds the unfinished copy of another store; name an empty one.",
    );
  }
  if ((await readShared(to.db, "tenants")).length > 0)
    throw failure("store_exists", "The target already is a store with tenants; nothing was changed.");
  await insertShared(to, "meta", [{ key: copyMark, value: source }]);
}

function requireWhole(meta: readonly CopiedRow[]): void {
  if (!meta.some(({ key }) => key === copyMark)) return;
  throw failure("store_unreadable", "The source is itself the unfinished copy of another store.");
}

async function copyTenant(
  source: TenantRows,
  to: OpenDatabase,
  tenantId: number,
  report: (progress: CopyProgress) => void,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of copiedTables) {
    counts[table.name] = await copyTable(source, to, tenantId, table, report);
  }
  for (const table of copiedTables) await requireEqual(source, to, tenantId, table);
  return counts;
}

async function copyTable(
  source: TenantRows,
  to: OpenDatabase,
  tenantId: number,
  table: CopiedTable,
  report: (progress: CopyProgress) => void,
): Promise<number> {
  const total = await countRows(source, tenantId, table);
  let done = await to.read(tenantId, (target) => countRows(target, tenantId, table));
  let after = await to.read(tenantId, (target) => lastKey(target, tenantId, table));
  report({ table: table.name, done, total });
  for (;;) {
    const rows = await readRows(source, tenantId, table, after);
    const last = rows.at(-1);
    if (!last) break;
    await to.write(tenantId, (target) => insertRows(target, table, rows.map(withoutParent(table))));
    done += rows.length;
    after = keyOf(last, table);
    report({ table: table.name, done, total });
  }
  if (table.parent) await setParents(source, to, tenantId, table);
  return total;
}

/** A row may come before the row that it references, so the reference is set at the end. */
function withoutParent({ parent }: CopiedTable): (row: CopiedRow) => CopiedRow {
  return parent === undefined ? (row) => row : (row) => ({ ...row, [parent]: null });
}

async function requireEqual(
  source: TenantRows,
  to: OpenDatabase,
  tenantId: number,
  table: CopiedTable,
): Promise<void> {
  const [wanted, copied] = await to.read(tenantId, (target) =>
    checksumsOf([source, target], tenantId, table),
  );
  if (wanted?.count === copied?.count && wanted?.hash === copied?.hash) return;
  const difference = `${table.name} of tenant ${tenantId}: ${copied?.count} rows were copied, ${wanted?.count} are there`;
  throw writtenTo(`${difference}${wanted?.count === copied?.count ? ", with other values" : ""}`);
}

/** Shared tables: the target must hold each row of the source unchanged. */
function requireSameRows(
  table: string,
  key: string,
  wanted: readonly CopiedRow[],
  copied: readonly CopiedRow[],
): void {
  const there = new Set(copied.map(toCanonicalText));
  const other = wanted.find((row) => !there.has(toCanonicalText(row)));
  if (other) throw writtenTo(`${table}: ${other[key]} was copied with other values`);
}

function writtenTo(difference: string) {
  return failure(
    "state_conflict",
    `The copy differs (${difference}): the source changed during the copy. Stop its writers, delete the target, and copy again.`,
  );
}

async function finish(
  to: OpenDatabase,
  tenants: readonly CopiedRow[],
  meta: readonly CopiedRow[],
  hold: Hold,
): Promise<void> {
  const isActive = { is_active: null };
  requireSameRows(
    "tenants",
    "id",
    tenants.map((tenant) => ({ ...tenant, ...isActive })),
    (await readShared(to.db, "tenants")).map((tenant) => ({ ...tenant, ...isActive })),
  );
  const own = ["schema", oldestProgramKey, copyMark];
  const kept = meta.filter(({ key }) => !own.includes(String(key)));
  await insertShared(to, "meta", kept);
  await to.db.transaction().execute(async (transaction) => {
    for (const { id, is_active } of tenants) {
      const active = Boolean(is_active);
      await transaction
        .updateTable("tenants")
        .set({ is_active: active })
        .where("id", "=", Number(id))
        .execute();
    }
    await holdDeliveries(metadataQueries(transaction), hold);
    await transaction.deleteFrom("meta").where("key", "=", copyMark).execute();
  });
}

/** A file is named `<file>.copying` until it is complete; the next call continues it. */
export async function copyStoreTo(
  from: string,
  to: string,
  report: (progress: CopyProgress) => void,
  {
    env,
    reason = "this store is the copy of another",
    tenantId = null,
  }: { env?: Environment | undefined; reason?: string; tenantId?: number | null } = {},
): Promise<CopyReport & { hold: Hold; shown: { from: string; to: string } }> {
  const isFile = !isPostgresAddress(to);
  const exists = () => failure("store_exists", `There is a store at ${to} already; it was not touched.`);
  if (isFile && existsSync(to)) throw exists();
  const draft = isFile ? `${to}.copying` : to;
  const source = openDatabase(from, { env });
  try {
    await source.check();
    if (isFile && !existsSync(draft)) createPrivately(draft);
    const hold = { since: systemClock.now(), reason };
    const target = openDatabase(draft, { create: true, env });
    const copied = await copyStore(source, target, report, { hold, tenantId }).finally(() => target.close());
    if (isFile) giveName(draft, to, exists);
    return { ...copied, hold, shown: { from: toShownStore(from), to: toShownStore(to) } };
  } finally {
    await source.close();
  }
}

function giveName(draft: string, file: string, exists: () => Error): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "EEXIST" ? exists() : error;
  }
  for (const end of ["", "-wal", "-shm"]) rmSync(draft + end, { force: true });
}
