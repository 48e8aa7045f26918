import type { Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { Role, UserFilters } from "../../models/user.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { type Conditions, filterRows, isLike } from "./filters.ts";
import { type NewUser, type StoredUser, toDispatcherId } from "./new-user.ts";
import { recordQueries } from "./records.ts";

export function userQueries(access: TenantAccess) {
  const users = recordQueries(access, "users", { toRecord: toUser, toRow });
  const workingAt = (locationId: number) =>
    access
      .select("users")
      .where((eb) => eb.or([eb("location_id", "is", null), eb("location_id", "=", locationId)]));
  return {
    find: (id: number): Promise<StoredUser | undefined> =>
      users.find(access.selectUnseen("users").where("id", "=", id)),
    findByUsername: (username: string): Promise<StoredUser | undefined> =>
      users.find(access.selectUnseen("users").where("username", "=", username)),
    findAt: (locationId: number, id: number): Promise<StoredUser | undefined> =>
      users.find(workingAt(locationId).where("id", "=", id)),
    /** Users of this location or of no particular one. */
    pageOf: (locationId: number, filters: UserFilters, paging: Paging): Promise<Page<StoredUser>> =>
      users.page(filterRows(access, workingAt(locationId), filters, conditions), paging),
    async insert(user: NewUser): Promise<StoredUser> {
      const { id } = await users.insert(user);
      return { ...user, dispatcher_id: toDispatcherId(id, user.roles), id };
    },
    /** Also updates the tokens of the user, which store the username. */
    async update(id: number, changed: Partial<NewUser>): Promise<void> {
      await users.update(id, changed);
      if (changed.username === undefined) return;
      const uid = access.selectUnseen("users").where("id", "=", id).select("uid");
      await access.update("tokens").set({ username: changed.username }).where("uid", "=", uid).execute();
    },
    /** Whether another active Admin sees the whole tenant. */
    async hasOtherAdmin(id: number): Promise<boolean> {
      const row = await access
        .selectUnseen("users")
        .where("id", "<>", id)
        .where("is_active", "=", true)
        .where("location_id", "is", null)
        .where("roles", "like", '%"Admin"%')
        .select("id")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

const conditions: Conditions<"users", UserFilters> = {
  username: (users, value) => users.where(isLike("username", value)),
  active: (users, value) => users.where("is_active", "=", value),
};

export function toUser({ tenant_id: _, ...row }: Selectable<Database["users"]>): StoredUser {
  const roles = JSON.parse(row.roles) as Role[];
  return {
    ...row,
    customer_ids: JSON.parse(row.customer_ids) as number[],
    dispatcher_id: toDispatcherId(row.id, roles),
    is_active: Boolean(row.is_active),
    roles,
  };
}

export function toUserRow({ customer_ids, dispatcher_id: _, roles, ...fields }: NewUser) {
  return { ...fields, customer_ids: JSON.stringify(customer_ids), roles: JSON.stringify(roles) };
}

/** The dispatcher id has no column. */
function toRow({ customer_ids, dispatcher_id: _, roles, ...fields }: Partial<StoredUser>) {
  return {
    ...fields,
    ...(customer_ids && { customer_ids: JSON.stringify(customer_ids) }),
    ...(roles && { roles: JSON.stringify(roles) }),
  };
}
