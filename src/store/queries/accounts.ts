import type { Kysely } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import { viewableRecordsMax } from "../../models/page-limits.ts";
import type { User } from "../../models/user.ts";
import { defineStatement, type Parameter, runStatement } from "../access/compiled.ts";
import type { Database } from "../schema/database.ts";
import type { NewUser } from "./new-user.ts";
import { type Tenant, toTenant } from "./tenants.ts";
import { type Token, toToken } from "./tokens.ts";
import { toUser, toUserRow } from "./users.ts";

/** What `accountQueries` gives. */
export type AccountQueries = ReturnType<typeof accountQueries>;

/** A token with what is needed to recognise it. */
export interface StoredToken {
  token: Token;
  secretHash: string;
}

/** A tenant to be made: active, printing on letter paper, and in UTC, unless it says otherwise. */
export type NewTenant = Pick<Tenant, "created_on" | "name"> & Partial<Omit<Tenant, "id">>;

/**
 * People, tenants and tokens across tenants. The program asks for them before it knows who calls, and in commands on a
 * whole store.
 */
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

/** Users as members of tenants, and as persons who may be members of several. */
function memberQueries(db: Kysely<Database>) {
  return {
    /** The person's user in a tenant; undefined when either is missing or not active. */
    async findMember(uid: string, tenantId: number): Promise<User | undefined> {
      const [row] = await runStatement(db, findActiveMember, { uid, tenantId });
      return row && toUser(row);
    },

    /** A user of a tenant by name; without a name the tenant's first, who is its owner. */
    async findUser(tenantId: number, username: string | null): Promise<User | undefined> {
      let matching = db.selectFrom("users").where("tenant_id", "=", tenantId).where("is_active", "=", true);
      if (username !== null) matching = matching.where("username", "=", username);
      const row = await matching.selectAll().orderBy("id").executeTakeFirst();
      return row && toUser(row);
    },

    /** Whether a user of any tenant, active or not, is this person. */
    async isPerson(uid: string): Promise<boolean> {
      const [row] = await runStatement(db, findPerson, { uid });
      return row !== undefined;
    },
  };
}

function tenantDirectory(db: Kysely<Database>) {
  return {
    /** All tenants of the store, by id. */
    async tenants(): Promise<Tenant[]> {
      return (await db.selectFrom("tenants").selectAll().orderBy("id").execute()).map(toTenant);
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

    async findTenant(id: number): Promise<Tenant | undefined> {
      const [row] = await runStatement(db, findTenantById, { id });
      return row && toTenant(row);
    },

    /** Makes a tenant and the first of its users. */
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
      .where("tenants.is_active", "=", true)
      .selectAll("users"),
);

const findPerson = defineStatement((db: Kysely<Database>, { uid }: { uid: Parameter<string> }) =>
  db.selectFrom("users").where("uid", "=", uid).select("id").limit(1),
);

const findTenantById = defineStatement((db: Kysely<Database>, { id }: { id: Parameter<number> }) =>
  db.selectFrom("tenants").where("id", "=", id).selectAll(),
);
