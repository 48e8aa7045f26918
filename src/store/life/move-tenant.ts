import { setTimeout } from "node:timers/promises";
import { type Selectable, sql, type Updateable } from "kysely";
import { failure } from "../../errors/errors.ts";
import { systemClock } from "../../runtime/clock.ts";
import { isPostgres } from "../access/compiled.ts";
import type { OpenDatabase } from "../api.ts";
import { isSameCode } from "../queries/match-key.ts";
import type { Database } from "../schema/database.ts";
import { secretKeyMark } from "../secrets/vault.ts";
import { type CopiedRow, type CopiedTable, copiedTables, countRows, readShared } from "./copy-rows.ts";
import {
  deleteSurplus,
  findEnd,
  hashRange,
  type Range,
  requireSameRows,
  type SourceRows,
  setParents,
  write,
  writeRange,
} from "./sync-rows.ts";

export interface TenantMove {
  from: OpenDatabase;
  to: OpenDatabase;
  tenantId: number;
  /** The tenant's id in the target. */
  newId: number;
  /** The old servers answer 410 with it; null for 403. */
  newAddress: string | null;
  keepsTokens: boolean;
  report(text: string): void;
}

interface MoveReport {
  rows: number;
  tables: Readonly<Record<string, number>>;
  passes: number;
  frozenMs: number;
}

/**
 * Copies a tenant while people work in it, then freezes it, copies what changed since, and activates the copy. Rows keep
 * their ids. Every written row is compared. An interrupted move continues. Throws store_exists and state_conflict.
 */
export async function moveTenant(move: TenantMove): Promise<MoveReport> {
  const before = await begin(move);
  // An interrupted move left its own freeze.
  const frozenBefore = before.frozen_reason?.startsWith(movingReason) ? null : before.frozen_reason;
  const passes = new Passes(move);
  while ((await passes.run()).changed > fewRanges && passes.count < openPassesMax);
  const startedMs = performance.now();
  const frozen_reason = frozenBefore ?? `${movingReason} on ${systemClock.now()}`;
  const frozen = { ...before, frozen_reason };
  if (!(await setSource(move, before, { frozen_reason }))) throw toOvertaken();
  let tables: MoveReport["tables"];
  try {
    await setTimeout(serversNoticeMs);
    tables = await runUntilEqual(move, passes);
  } catch (error) {
    await setSource(move, frozen, { frozen_reason: frozenBefore });
    throw error;
  }
  await finish(move, frozen, frozenBefore);
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  return { rows, tables, passes: passes.count, frozenMs: performance.now() - startedMs };
}

/** A pass over so few ranges of rows takes about a second. */
const fewRanges = 50;
const openPassesMax = 5;
const frozenPassesMax = 5;

/** Other servers remember a tenant for at most a second. */
const serversNoticeMs = 1_100;

const movingReason = "A move to another store began";

/** In the target: what the tenant with this id is a copy of. */
const toArrivalMark = (id: number) => `arriving_tenant_${id}`;

async function begin(move: TenantMove): Promise<SourceState> {
  const { keepsTokens, newId, tenantId, to } = move;
  if (!isPostgres(to.db)) {
    const way = "Move the tenant to PostgreSQL, or into a new file with `store copy --tenant`.";
    throw failure("state_conflict", `A file numbers the rows of all its tenants together. ${way}`);
  }
  const { frozen_reason, ...tenant } = await findTenant(move);
  const [mark, source] = [toArrivalMark(newId), JSON.stringify([tenantId, tenant.created_on])];
  const isArriving = (await readShared(to.db, "meta")).some(
    ({ key, value }) => key === mark && value === source,
  );
  const there = await readShared(to.db, "tenants");
  const isTaken = there.some(({ id }) => Number(id) === newId);
  if (!isArriving && !tenant.is_active) {
    const place = tenant.moved_to === null ? "" : `; it was moved to ${tenant.moved_to}`;
    throw failure("state_conflict", `Tenant ${tenantId} is not active${place}.`);
  }
  if (isTaken && !isArriving) {
    throw failure(
      "store_exists",
      `The target has a tenant ${newId} already. Choose another id with --new-id; x-tenant-id of requests changes with it.`,
    );
  }
  requireFreeCode(
    tenant,
    there.filter(({ id }) => Number(id) !== newId),
  );
  await requireReadableSecrets(move);
  if (keepsTokens) await requireFreeTokens(move);
  await copyHaulers(move);
  if (isArriving && !keepsTokens) await deleteTokens(move);
  if (!isArriving) {
    const arriving = { ...tenant, id: newId, is_active: false, frozen_reason: "The tenant is arriving" };
    await to.db.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("tenants")
        .values(arriving as never)
        .execute();
      await transaction.insertInto("meta").values({ key: mark, value: source }).execute();
    });
  }
  return {
    frozen_reason: typeof frozen_reason === "string" ? frozen_reason : null,
    is_active: Boolean(tenant.is_active),
  };
}

async function findTenant({ from, tenantId }: TenantMove): Promise<CopiedRow> {
  const tenant = (await readShared(from.db, "tenants")).find(({ id }) => Number(id) === tenantId);
  if (!tenant) throw failure("record_not_found", `The store has no tenant ${tenantId}.`, "tenant");
  return tenant;
}

/** Haulers name a tenant of the store by its code. */
function requireFreeCode({ code, id }: CopiedRow, others: readonly CopiedRow[]): void {
  const other = others.find((each) => isSameCode(String(each.code ?? ""), String(code ?? "")));
  if (code === null || !other) return;
  throw failure(
    "state_conflict",
    `Tenant ${other.id} of the target has the code ${other.code} already. Give one of them another: \`tenants update ${id} --code …\`.`,
  );
}

/** An encrypted secret opens only with its key and in its tenant. */
async function requireReadableSecrets({ from, newId, tenantId, to }: TenantMove): Promise<void> {
  const keyOf = async ({ db }: OpenDatabase) =>
    (await readShared(db, "meta")).find(({ key }) => key === secretKeyMark)?.value;
  const key = await keyOf(from);
  if (key === undefined || (newId === tenantId && key === (await keyOf(to)))) return;
  throw failure(
    "state_conflict",
    "The webhook secrets of the source are encrypted, and would not open in the target: its key or the tenant's id is another one. Run `secrets decrypt` on the source first.",
  );
}

/** The text of a token names its id without a tenant, so that no two tenants of a database can have the same. */
async function requireFreeTokens({ from, newId, tenantId, to }: TenantMove): Promise<void> {
  const idsOf = async (db: OpenDatabase["db"], isMeant: (tenant: number) => boolean) =>
    (await db.selectFrom("tokens").select(["created_by_token_id", "id", "tenant_id"]).execute())
      .filter(({ tenant_id }) => isMeant(tenant_id))
      .flatMap(({ created_by_token_id, id }) => [id, created_by_token_id ?? id]);
  const taken = new Set(await idsOf(to.db, (tenant) => tenant !== newId));
  const double = (await idsOf(from.db, (tenant) => tenant === tenantId)).filter((id) => taken.has(id));
  if (double.length === 0) return;
  throw failure(
    "state_conflict",
    `Other tenants of the target have tokens with the same ids (${[...new Set(double)].slice(0, 5).join(", ")}). Move the tenant with --without-tokens, and create new ones there.`,
  );
}

/** An interrupted move may have copied tokens, and nobody would revoke them there. */
async function deleteTokens({ newId, to }: TenantMove): Promise<void> {
  for (const table of ["tokens", "usage"] as const)
    await write(
      { store: to, tenantId: newId },
      sql`delete from ${sql.table(table)} where tenant_id = ${newId}`,
    );
}

/** Haulers belong to the whole store. The target keeps its own values of a known one. */
async function copyHaulers({ from, tenantId, to }: TenantMove): Promise<void> {
  const connections = await from.db
    .selectFrom("hauler_connections")
    .where("tenant_id", "=", tenantId)
    .select("hauler_uuid")
    .execute();
  const used = new Set<unknown>(connections.map(({ hauler_uuid }) => hauler_uuid));
  const there = await readShared(to.db, "haulers");
  for (const hauler of await readShared(from.db, "haulers")) {
    if (!used.has(hauler.uuid) || there.some(({ uuid }) => uuid === hauler.uuid)) continue;
    if (there.some(({ username }) => username === hauler.username))
      throw failure("state_conflict", `Another hauler of the target has the username ${hauler.username}.`);
    await to.db
      .insertInto("haulers")
      .values(hauler as never)
      .execute();
  }
}

/** Some rows of a table, with a hash of their versions in the source. */
interface Block extends Range {
  hash: string;
}

interface Pass {
  /** Ranges. */
  changed: number;
  tables: Record<string, number>;
}

/** Each pass brings the copy to a newer snapshot of the source. */
class Passes {
  readonly #blocks = new Map<CopiedTable, Block[]>();
  readonly #move: TenantMove;
  count = 0;

  constructor(move: TenantMove) {
    this.#move = move;
  }

  async run(): Promise<Pass> {
    const { from, newId, report, tenantId, to } = this.#move;
    this.count += 1;
    const tables = copiedTables.filter(
      ({ name }) => this.#move.keepsTokens || (name !== "tokens" && name !== "usage"),
    );
    const pass = await from.readAll(async (rows) => {
      const [source, target] = [
        { rows, tenantId },
        { store: to, tenantId: newId },
      ];
      const found: [CopiedTable, Range[]][] = [];
      for (const table of tables) found.push([table, await this.#findChanges(source, table)]);
      for (const [table, ranges] of found.toReversed())
        for (const range of ranges) await deleteSurplus(source, target, table, range);
      let changed = 0;
      for (const [table, ranges] of found) {
        let written = 0;
        const parented: Parameters<typeof setParents>[2][number][] = [];
        for (const range of ranges) {
          const { children, count } = await writeRange(source, target, table, range);
          written += count;
          parented.push(...children);
          report(`pass ${this.count}: ${table.name}, ${written} rows`);
        }
        await setParents(target, table, parented);
        for (const range of ranges) await requireSameRows(source, target, table, range);
        // A server notes the last use of a token some time later, even while the tenant is frozen.
        if (table.name !== "usage") changed += ranges.length;
      }
      return { changed, tables: await countBoth(source, target.store, newId, tables) };
    });
    const last = await from.sequences();
    const people = Math.max(last.drivers ?? 0, last.users ?? 0);
    await to.raiseSequences({ ...last, drivers: people, users: people, tenants: newId });
    return pass;
  }

  /** Ranges with new, changed, or deleted rows since the last pass. */
  async #findChanges(source: SourceRows, table: CopiedTable): Promise<Range[]> {
    const isFirst = !this.#blocks.has(table);
    const known = this.#blocks.get(table) ?? [];
    const blocks: Block[] = [];
    const changed: Range[] = [];
    for (const block of known) {
      const hash = await hashRange(source, table, block);
      if (hash !== block.hash) changed.push(block);
      blocks.push({ ...block, hash });
    }
    for (let after = known.at(-1)?.until ?? null; ; ) {
      const until = await findEnd(source, table, after);
      if (until === null) {
        // An interrupted move may have copied later rows that the source has deleted since.
        if (isFirst) changed.push({ after, until: null });
        break;
      }
      blocks.push({ after, until, hash: await hashRange(source, table, { after, until }) });
      changed.push({ after, until });
      after = until;
    }
    this.#blocks.set(table, blocks);
    return changed;
  }
}

async function countBoth(
  source: SourceRows,
  to: OpenDatabase,
  newId: number,
  tables: readonly CopiedTable[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const count = await countRows(source.rows, source.tenantId, table);
    const copied = await to.read(newId, (rows) => countRows(rows, newId, table));
    if (count !== copied)
      throw failure(
        "state_conflict",
        `The copy has ${copied} rows of ${table.name}; the source has ${count}.`,
      );
    counts[table.name] = count;
  }
  return counts;
}

/** A request that was checked before the freeze may still write, so the last pass must find nothing. */
async function runUntilEqual({ from, tenantId }: TenantMove, passes: Passes): Promise<MoveReport["tables"]> {
  for (let made = 0; made < frozenPassesMax; made++) {
    await from.waitForWriters(tenantId);
    const { changed, tables } = await passes.run();
    if (changed === 0) return tables;
  }
  throw failure("state_conflict", "Programs still change the frozen tenant. Stop them, and move it again.");
}

/** Deactivates the source first, and leaves it frozen: two active copies would both accept changes. */
async function finish(move: TenantMove, frozen: SourceState, frozenBefore: string | null): Promise<void> {
  const { newAddress, newId, to } = move;
  if (!(await setSource(move, frozen, { is_active: false, moved_to: newAddress }))) throw toOvertaken();
  const { id: _, ...tenant } = await findTenant(move);
  await to.db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("tenants")
      .set({ ...tenant, frozen_reason: frozenBefore, is_active: true, moved_to: null })
      .where("id", "=", newId)
      .where("is_active", "=", false)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw toOvertaken();
    await transaction.deleteFrom("meta").where("key", "=", toArrivalMark(newId)).execute();
  });
}

type SourceState = Pick<Selectable<Database["tenants"]>, "frozen_reason"> & { is_active: boolean };

/** False if the tenant is no longer as this move left it. Each move freezes with a reason of its own. */
async function setSource(
  { from, tenantId }: TenantMove,
  expected: SourceState,
  changes: Updateable<Database["tenants"]>,
): Promise<boolean> {
  const { numUpdatedRows } = await from.db
    .updateTable("tenants")
    .set(changes)
    .where("id", "=", tenantId)
    .where("is_active", "=", expected.is_active)
    .where("frozen_reason", "is not distinct from", expected.frozen_reason)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const toOvertaken = () =>
  failure(
    "state_conflict",
    "Another move of the tenant began, or somebody unfroze or deactivated it. Look at `tenants list`, and move it again.",
  );
