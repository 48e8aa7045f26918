import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { failure } from "../../errors/errors.ts";
import { isPostgres } from "../access/compiled.ts";
import type { OpenDatabase, TenantRows } from "../api.ts";
import {
  type CopiedRow,
  type CopiedTable,
  keyOf,
  type RowKey,
  toCanonicalText,
  toInsert,
} from "./copy-rows.ts";

/** The rows of a tenant after one key up to another; null is the begin or the end of the table. */
export interface Range {
  after: RowKey | null;
  until: RowKey | null;
}

/** One snapshot of the tenant that moves. */
export interface SourceRows {
  rows: TenantRows;
  tenantId: number;
}

/** Its copy on PostgreSQL, possibly with another tenant id. */
export interface TargetRows {
  store: OpenDatabase;
  tenantId: number;
}

/** The key of the last row of the range that begins here; null at the end of the table. */
export async function findEnd(
  { rows, tenantId }: SourceRows,
  table: CopiedTable,
  after: RowKey | null,
): Promise<RowKey | null> {
  const end = sql`order by ${toKey(table)} limit ${sql.lit(rangeRows)}`;
  const last = (await select(rows, tenantId, table, { after, until: null }, toKey(table), end)).at(-1);
  return last === undefined ? null : keyOf(last, table);
}

const rangeRows = 500;

/** Changes with the rows. PostgreSQL numbers the versions of rows, so it need not send them. */
export async function hashRange(
  { rows, tenantId }: SourceRows,
  table: CopiedTable,
  range: Range,
): Promise<string> {
  if (!isPostgres(rows.own)) {
    const texts = (await select(rows, tenantId, table, range, sql`*`)).map(toCanonicalText);
    return createHash("sha256").update(texts.join("\n")).digest("hex");
  }
  const key = toKey(table);
  const version = sql`md5(string_agg(row(${key}, xmin)::text, '' order by ${key})) as version`;
  const [found] = await select(rows, tenantId, table, range, version, sql``);
  return String(found?.version);
}

/** Deletes rows that the source no longer has, and users with another name, which may belong to another user now. */
export async function deleteSurplus(
  source: SourceRows,
  target: TargetRows,
  table: CopiedTable,
  range: Range,
): Promise<void> {
  const key = toKey(table);
  // No table references users.
  const columns = table.name === "users" ? sql`${key}, uid, username` : key;
  const there = await target.store.read(target.tenantId, (rows) =>
    select(rows, target.tenantId, table, range, columns),
  );
  if (there.length === 0) return;
  const wanted = await select(source.rows, source.tenantId, table, range, columns);
  const kept = new Set(wanted.map(toCanonicalText));
  const surplus = there.filter((row) => !kept.has(toCanonicalText(row)));
  if (surplus.length === 0) return;
  const keys = surplus.map((row) => sql`(${sql.join(keyOf(row, table))})`);
  await write(
    target,
    sql`delete from ${sql.table(table.name)}
      where tenant_id = ${target.tenantId} and (${key}) in (${sql.join(keys)})`,
  );
}

/** Writes the new and changed rows, without their parents. Returns their number, and the rows that have a parent. */
export async function writeRange(
  source: SourceRows,
  target: TargetRows,
  table: CopiedTable,
  range: Range,
): Promise<{ count: number; children: Child[] }> {
  const there = new Map(
    (await readTarget(target, table, range)).map((row) => [toKeyText(row, table), toCanonicalText(row)]),
  );
  const changed = (await readSource(source, target, table, range)).filter(
    (row) => there.get(toKeyText(row, table)) !== toCanonicalText(row),
  );
  if (changed.length === 0) return { count: 0, children: [] };
  const { parent = null } = table;
  const orphans = parent === null ? changed : changed.map((row) => ({ ...row, [parent]: null }));
  const names = Object.keys(changed[0] ?? {}).filter((name) => !["tenant_id", ...table.key].includes(name));
  const taken = names.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  await write(
    target,
    sql`${toInsert(table.name, orphans)} on conflict (tenant_id, ${toKey(table)})
      do update set ${sql.join(taken)}`,
  );
  const children = parent === null ? [] : changed.map((row) => ({ id: row.id, parent: row[parent] }));
  return { count: changed.length, children: children.filter((child) => child.parent !== null) };
}

interface Child {
  id: unknown;
  parent: unknown;
}

/** A row may come before the row that it references, so the reference is set at the end. */
export async function setParents(
  target: TargetRows,
  { name, parent }: CopiedTable,
  children: readonly Child[],
): Promise<void> {
  if (parent === undefined) return;
  for (let done = 0; done < children.length; done += rangeRows) {
    const pairs = children
      .slice(done, done + rangeRows)
      .map((child) => sql`(${child.id}::bigint, ${child.parent}::bigint)`);
    await write(
      target,
      sql`update ${sql.table(name)} set ${sql.ref(parent)} = child.parent
        from (values ${sql.join(pairs)}) as child (id, parent)
        where tenant_id = ${target.tenantId} and ${sql.table(name)}.id = child.id`,
    );
  }
}

/** The copy may be active already, after another move of the tenant: then its rows may differ from the source. */
export function write({ store, tenantId }: TargetRows, statement: RawBuilder<unknown>): Promise<void> {
  return store.write(tenantId, async ({ own }) => {
    const inactive = sql`select 1 from tenants where id = ${tenantId} and not is_active for share`;
    if ((await inactive.execute(own)).rows.length === 0)
      throw failure("state_conflict", `Tenant ${tenantId} of the target is active: another move has ended.`);
    await statement.execute(own);
  });
}

/** Throws state_conflict for a missing row or another value. */
export async function requireSameRows(
  source: SourceRows,
  target: TargetRows,
  table: CopiedTable,
  range: Range,
): Promise<void> {
  const wanted = (await readSource(source, target, table, range)).map(toCanonicalText);
  const copied = (await readTarget(target, table, range)).map(toCanonicalText);
  if (wanted.length === copied.length && wanted.every((text, index) => text === copied[index])) return;
  throw failure(
    "state_conflict",
    `The copy of ${table.name} differs from its source. Move the tenant again.`,
  );
}

async function readSource(
  { rows, tenantId }: SourceRows,
  target: TargetRows,
  table: CopiedTable,
  range: Range,
): Promise<CopiedRow[]> {
  const found = await select(rows, tenantId, table, range, sql`*`);
  return found.map((row) => ({ ...row, tenant_id: target.tenantId }));
}

function readTarget({ store, tenantId }: TargetRows, table: CopiedTable, range: Range): Promise<CopiedRow[]> {
  return store.read(tenantId, (rows) => select(rows, tenantId, table, range, sql`*`));
}

async function select(
  { own }: TenantRows,
  tenantId: number,
  table: CopiedTable,
  { after, until }: Range,
  columns: ReturnType<typeof toKey>,
  end = sql`order by ${toKey(table)}`,
): Promise<CopiedRow[]> {
  const key = toKey(table);
  const behind = after === null ? sql`` : sql`and (${key}) > (${sql.join(after)})`;
  const before = until === null ? sql`` : sql`and (${key}) <= (${sql.join(until)})`;
  const query = sql<CopiedRow>`select ${columns} from ${sql.table(table.name)}
    where tenant_id = ${tenantId} ${behind} ${before} ${end}`;
  return (await query.execute(own)).rows;
}

const toKey = ({ key }: CopiedTable) => sql`${sql.join(key.map((column) => sql.ref(column)))}`;

const toKeyText = (row: CopiedRow, table: CopiedTable) => JSON.stringify(keyOf(row, table));
