import type { Role, User } from "../../models/user.ts";

/** A set of the tenant's rows that a caller may see; the caller sees the rows of all its scopes (OP-53, OP-54). */
export type RowScope =
  | { kind: "tenant" }
  | { kind: "location"; locationId: number }
  | { kind: "customers"; customerIds: readonly number[] }
  | { kind: "driver"; driverId: number; userId: number }
  | { kind: "hauler"; haulerId: string };

/**
 * The rows that a user sees when acting with the given roles. A role that binds its user to something (a driver, a
 * hauler, customers) gives no rows to a user who is bound to none.
 */
export function toRowScopes(user: User, roles: readonly Role[]): RowScope[] {
  return roles.flatMap((role) => rowScopeOf(user, role));
}

/** A tenant, and which of its rows. */
export interface Scope {
  tenantId: number;
  rowScopes: readonly RowScope[];
}

/** The tenant's rows that a user sees when acting with the given roles. */
export function toScope(tenantId: number, user: User, roles: readonly Role[]): Scope {
  return { tenantId, rowScopes: toRowScopes(user, roles) };
}

function rowScopeOf(user: User, role: Role): RowScope[] {
  switch (role) {
    case "Admin":
    case "Dispatcher":
    case "CrmUser":
      return [
        user.location_id === null ? { kind: "tenant" } : { kind: "location", locationId: user.location_id },
      ];
    case "ClientCustomer":
      return user.customer_ids.length === 0 ? [] : [{ kind: "customers", customerIds: user.customer_ids }];
    case "Driver":
    case "ThirdPartyDriver":
      return user.driver_id === null ? [] : [{ kind: "driver", driverId: user.driver_id, userId: user.id }];
    case "ThirdPartyDispatcher":
      return user.third_party_hauler_id === null
        ? []
        : [{ kind: "hauler", haulerId: user.third_party_hauler_id }];
  }
}

/** All rows of the tenant: for what the program does itself, without a caller. */
export const wholeTenant: readonly RowScope[] = [{ kind: "tenant" }];
