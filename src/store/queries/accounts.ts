import type { Kysely, Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import { viewableRecordsMax } from "../../models/page-limits.ts";
import type { User } from "../../models/user.ts";
import { defineStatement, type Parameter, runStatement } from "../access/compiled.ts";
import type { Database } from "../schema/database.ts";
import type { NewUser } from "./new-user.ts";
import { type Token, toToken } from "./tokens.ts";
import { toUser, toUserRow } from "./users.ts";

export type AccountQueries = ReturnType<typeof accountQueries>;

export interface StoredToken {
  token: Token;
  secretHash: string;
}

/** Defaults: active, letter paper, UTC. */
export type NewTenant = Pick<Tenant, "created_on" | "name"> & Partial<Omit<Tenant, "id">>;

export interface Member {
  frozenReason: string | null;
  /** The address of the server that has the tenant now. */
  movedTo: string | null;
  user: User;
}

/** These queries read across tenants: the caller is not known yet, or a command concerns the whole store. */
export function accountQueries(db: Kysely<Database>) {
  return { ...tokenLookup(db), ...memberQueries(db), ...tenantDirectory(db) };
}

function tokenLookup(db: Kysely<Database>) {
  return {
    async findToken(id: number): Promise<StoredToken | undefined> {
      const [row] = await runStatement(db, findTokenById, { id });
      return row && { token: toToken(row), secretHash: row.secret_hash };
    },
  };
}

function memberQueries(db: Kysely<Database>) {
  return {
    /** undefined if the user or the tenant is missing or inactive. Finds a moved tenant. */
    async findMember(uid: string, tenantId: number): Promise<Member | undefined> {
      const [row] = await runStatement(db, findActiveMember, { uid, tenantId });
      return row && { frozenReason: row.frozen_reason, movedTo: row.moved_to, user: toUser(row) };
    },

    /** Without a name: the tenant's first user, the owner. */
    async findUser(tenantId: number, username: string | null): Promise<User | undefined> {
      let matching = db.selectFrom("users").where("tenant_id", "=", tenantId).where("is_active", "=", true);
      if (username !== null) matching = matching.where("username", "=", username);
      const row = await matching.selectAll().orderBy("id").executeTakeFirst();
      return row && toUser(row);
    },

    async isPerson(uid: string): Promise<boolean> {
      const [row] = await runStatement(db, findPerson, { uid });
      return row !== undefined;
    },
  };
}

function tenantDirectory(db: Kysely<Database>) {
  return {
    async tenants(): Promise<Tenant[]> {
      return (await db.selectFrom("tenants").selectAll().orderBy("id").execute()).map(toTenant);
    },

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

    async findTenant(id: number): Promise<Tenant | undefined> {
      const [row] = await runStatement(db, findTenantById, { id });
      return row && toTenant(row);
    },

    async insertTenant(tenant: NewTenant, owner: NewUser): Promise<{ tenant: Tenant; owner: User }> {
      const made = await db
        .insertInto("tenants")
        .values({ is_active: true, paper: "letter", time_zone: "UTC", ...tenant })
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
  };
}

const findTokenById = defineStatement((db: Kysely<Database>, { id }: { id: Parameter<number> }) =>
  db.selectFrom("tokens").where("id", "=", id).selectAll(),
);

const findActiveMember = defineStatement(
  (db: Kysely<Database>, { uid, tenantId }: { uid: Parameter<string>; tenantId: Parameter<number> }) =>
    db
      .selectFrom("users")
      .innerJoin("tenants", "tenants.id", "users.tenant_id")
      .where("users.uid", "=", uid)
      .where("users.tenant_id", "=", tenantId)
      .where("users.is_active", "=", true)
      .where((eb) => eb.or([eb("tenants.is_active", "=", true), eb("tenants.moved_to", "is not", null)]))
      .selectAll("users")
      .select(["tenants.frozen_reason", "tenants.moved_to"]),
);

const findPerson = defineStatement((db: Kysely<Database>, { uid }: { uid: Parameter<string> }) =>
  db.selectFrom("users").where("uid", "=", uid).select("id").limit(1),
);

const findTenantById = defineStatement((db: Kysely<Database>, { id }: { id: Parameter<number> }) =>
  db.selectFrom("tenants").where("id", "=", id).selectAll(),
);

export type Tenant = ReturnType<typeof toTenant>;

export function tenantQueries(db: Kysely<Database>, tenantId: number) {
  return {
    async get(): Promise<Tenant> {
      const [row] = await runStatement(db, findTenantById, { id: tenantId });
      if (!row) throw new Error(`Tenant ${tenantId} is missing.`);
      return toTenant(row);
    },
  };
}

export function toTenant(row: Selectable<Database["tenants"]>) {
  return { ...row, is_active: Boolean(row.is_active) };
}
