import { type Kysely, sql } from "kysely";
import { type Page, type Paging, viewableRecordsMax } from "../../models/page.ts";
import type { User } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Database } from "../schema/database.ts";
import type { NewUser } from "./new-user.ts";
import { type Tenant, toTenant } from "./tenants.ts";
import { type Token, toToken } from "./tokens.ts";
import { toUser, toUserRow } from "./users.ts";

export type AccountQueries = ReturnType<typeof accountQueries>;

/** A token with what is needed to recognise it. */
export interface StoredToken {
  token: Token;
  secretHash: string;
}

/** A tenant to be made: active, and printing on letter paper, unless it says otherwise. */
export type NewTenant = Pick<Tenant, "created_on" | "name"> & Partial<Omit<Tenant, "id">>;

/** In the meta table of a store that another is being copied into: of which store it is the copy. */
export const copyMark = "copy_of";

/** A webhook of some tenant that has something to get. */
export interface DueHook {
  tenantId: number;
  hookId: number;
}

/** People, tenants and tokens, across tenants: used before it is known who asks, and by commands on a whole store. */
export function accountQueries(db: Kysely<Database>) {
  return {
    async findToken(id: number): Promise<StoredToken | undefined> {
      const row = await db.selectFrom("tokens").where("id", "=", id).selectAll().executeTakeFirst();
      return row && { token: toToken(row), secretHash: row.secret_hash };
    },

    /** The person's user in a tenant; undefined when either is missing or not active. */
    async findMember(uid: string, tenantId: number): Promise<User | undefined> {
      const row = await db
        .selectFrom("users")
        .innerJoin("tenants", "tenants.id", "users.tenant_id")
        .where("users.uid", "=", uid)
        .where("users.tenant_id", "=", tenantId)
        .where("users.is_active", "=", true)
        .where("tenants.is_active", "=", true)
        .selectAll("users")
        .executeTakeFirst();
      return row && toUser(row);
    },

    /** A user of a tenant by name; without a name the tenant's first, who is its owner. */
    async findUser(tenantId: number, username: string | null): Promise<User | undefined> {
      let matching = db.selectFrom("users").where("tenant_id", "=", tenantId).where("is_active", "=", true);
      if (username !== null) matching = matching.where("username", "=", username);
      const row = await matching.selectAll().orderBy("id").executeTakeFirst();
      return row && toUser(row);
    },

    /** The tenants that the person works in, by id; with a reach that one only. */
    async tenantsOf(uid: string, reach: number | null, { index, limit }: Paging): Promise<Page<Tenant>> {
      let reachable = db
        .selectFrom("tenants")
        .where("is_active", "=", true)
        .where("id", "in", (eb) =>
          eb.selectFrom("users").where("uid", "=", uid).where("is_active", "=", true).select("tenant_id"),
        );
      if (reach !== null) reachable = reachable.where("id", "=", reach);
      const rows = await reachable.selectAll().orderBy("id").limit(viewableRecordsMax).execute();
      const offset = (index - 1) * limit;
      return { rows: rows.slice(offset, offset + limit).map(toTenant), total: rows.length };
    },

    /** All tenants of the store, by id. */
    async tenants(): Promise<Tenant[]> {
      return (await db.selectFrom("tenants").selectAll().orderBy("id").execute()).map(toTenant);
    },

    /** The webhooks of all tenants that have deliveries due, by id; in the unfinished copy of a store none has. */
    async hooksDue(now: Timestamp): Promise<DueHook[]> {
      // Asked webhook by webhook, which is one look into an index each, however many deliveries are pending.
      // The limit keeps SQLite from a join that goes through all that is pending for each webhook.
      return db
        .selectFrom("hooks")
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom("deliveries")
              .whereRef("deliveries.tenant_id", "=", "hooks.tenant_id")
              .whereRef("deliveries.hook_id", "=", "hooks.id")
              .where("deliveries.status", "=", "pending")
              .where("deliveries.next_attempt_on", "<=", now)
              .select("deliveries.id")
              .limit(sql.lit(1)),
          ),
        )
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom("meta").where("key", "=", copyMark).select("meta.key"))),
        )
        .select(["hooks.tenant_id as tenantId", "hooks.id as hookId"])
        .orderBy("hooks.id")
        .execute();
    },

    /** When the oldest delivery that is still pending was made; null when nothing is pending. */
    async oldestPendingDelivery(): Promise<Timestamp | null> {
      // Asked tenant by tenant, which is one look into an index each.
      const rows = await db
        .selectFrom("tenants")
        .select((eb) =>
          eb
            .selectFrom("deliveries")
            .whereRef("deliveries.tenant_id", "=", "tenants.id")
            .where("deliveries.status", "=", "pending")
            .select("deliveries.created_on")
            .orderBy("deliveries.id")
            .limit(1)
            .as("oldest"),
        )
        .execute();
      return rows.flatMap(({ oldest }) => oldest ?? []).sort()[0] ?? null;
    },

    /** How many deliveries a worker is about to make, of all tenants. */
    async countLeased(now: Timestamp): Promise<number> {
      const row = await db
        .selectFrom("deliveries")
        .where("status", "=", "pending")
        .where("leased_until", ">", now)
        .select((eb) => eb.fn.countAll().as("count"))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** Has all leases end now: what was claimed is due at once. */
    async endLeases(now: Timestamp): Promise<void> {
      await db
        .updateTable("deliveries")
        .set({ leased_until: now, next_attempt_on: now })
        .where("status", "=", "pending")
        .where("leased_until", ">", now)
        .execute();
    },

    async findTenant(id: number): Promise<Tenant | undefined> {
      const row = await db.selectFrom("tenants").where("id", "=", id).selectAll().executeTakeFirst();
      return row && toTenant(row);
    },

    /** Whether a user of any tenant, active or not, is this person. */
    async isPerson(uid: string): Promise<boolean> {
      const row = await db.selectFrom("users").where("uid", "=", uid).select("id").executeTakeFirst();
      return row !== undefined;
    },

    /** Makes a tenant and the first of its users. */
    async insertTenant(tenant: NewTenant, owner: NewUser): Promise<{ tenant: Tenant; owner: User }> {
      const made = await db
        .insertInto("tenants")
        .values({ is_active: true, paper: "letter", ...tenant })
        .returningAll()
        .executeTakeFirstOrThrow();
      const user = await db
        .insertInto("users")
        .values({ ...toUserRow(owner), tenant_id: made.id })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { tenant: toTenant(made), owner: toUser(user) };
    },

    async updateTenant({ id, created_on: _, ...changed }: Tenant): Promise<void> {
      await db.updateTable("tenants").set(changed).where("id", "=", id).execute();
    },

    /** Whether the store is the unfinished copy of another, which nobody may work in. */
    async isHalfCopy(): Promise<boolean> {
      const row = await db.selectFrom("meta").where("key", "=", copyMark).select("key").executeTakeFirst();
      return row !== undefined;
    },

    /** Remembers a fact about the whole store. */
    async setMeta(key: string, value: string): Promise<void> {
      await db
        .insertInto("meta")
        .values({ key, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
        .execute();
    },

    async getMeta(key: string): Promise<string | undefined> {
      const row = await db.selectFrom("meta").where("key", "=", key).select("value").executeTakeFirst();
      return row?.value;
    },
  };
}
