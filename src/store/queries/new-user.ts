import type { Role, User } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";

export type StoredUser = User & { created_on: Timestamp; is_active: boolean };

export type NewUser = Omit<StoredUser, "id">;

export function toNewUser(username: string, roles: Role[], uid: string, now: Timestamp): NewUser {
  return {
    created_on: now,
    customer_ids: [],
    dispatcher_id: null,
    driver_id: null,
    is_active: true,
    location_id: null,
    roles,
    third_party_hauler_id: null,
    uid,
    username,
  };
}

export function toDispatcherId(id: number, roles: readonly Role[]): number | null {
  return roles.includes("Dispatcher") ? id : null;
}
