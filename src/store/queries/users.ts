import type { Selectable } from "kysely";
import type { Timestamp } from "../../clock.ts";
import type { Page, Paging } from "../../models/page.ts";
import type { Role, User } from "../../models/user.ts";
import type { TenantAccess } from "../access.ts";
import type { Database } from "../database.ts";
import { isLike } from "./like.ts";
import { readPage } from "./pages.ts";

export type NewUser = Omit<User, "id"> & { created_on: Timestamp };

export interface UserFilters {
  /** `*` stands for any characters; otherwise exact. Case does not count. */
  username: string | null;
  active: boolean | null;
  /** Keeps the users who work at this location: those bound to it and those bound to none. */
  location_id: number;
}

export function userQueries(access: TenantAccess) {
  return {
    /** Seen or not: used to judge what a user's id stands for. */
    async find(id: number): Promise<User | undefined> {
      const row = await access.selectUnseen("users").where("id", "=", id).selectAll().executeTakeFirst();
      return row && toUser(row);
    },
    async findByUsername(username: string): Promise<User | undefined> {
      const row = await access
        .selectUnseen("users")
        .where("username", "=", username)
        .selectAll()
        .executeTakeFirst();
      return row && toUser(row);
    },
    async page(filters: UserFilters, paging: Paging): Promise<Page<User>> {
      let matching = access
        .select("users")
        .where((eb) => eb.or([eb("location_id", "is", null), eb("location_id", "=", filters.location_id)]));
      if (filters.username !== null) matching = matching.where(isLike("username", filters.username));
      if (filters.active !== null) matching = matching.where("is_active", "=", filters.active);
      const page = await readPage(access, matching, paging, (rows) => rows.selectAll().orderBy("id"));
      return { ...page, rows: page.rows.map(toUser) };
    },
    async insert(user: NewUser): Promise<User> {
      const inserted = await access.insert("users", toUserRow(user)).returningAll().executeTakeFirstOrThrow();
      return toUser(inserted as Selectable<Database["users"]>);
    },
  };
}

/** A user who is bound to nothing. */
export function toNewUser(username: string, roles: Role[], uid: string, now: Timestamp): NewUser {
  return {
    created_on: now,
    customer_ids: [],
    dispatcher_id: null,
    driver_id: null,
    location_id: null,
    roles,
    third_party_hauler_id: null,
    uid,
    username,
  };
}

/** What is inserted for a user, but for the tenant. */
export function toUserRow({ customer_ids, roles, dispatcher_id: _, ...user }: NewUser) {
  return {
    ...user,
    customer_ids: JSON.stringify(customer_ids),
    is_active: true,
    roles: JSON.stringify(roles),
  };
}

/** The row of a user as the interface shows it. */
export function toUser(row: Selectable<Database["users"]>): User {
  const roles = JSON.parse(row.roles) as Role[];
  return {
    customer_ids: JSON.parse(row.customer_ids) as number[],
    dispatcher_id: roles.includes("Dispatcher") ? row.id : null,
    driver_id: row.driver_id,
    id: row.id,
    location_id: row.location_id,
    roles,
    third_party_hauler_id: row.third_party_hauler_id,
    uid: row.uid,
    username: row.username,
  };
}
