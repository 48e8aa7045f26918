import type { Role, User } from "../../models/user.ts";

export type RowScope =
  | { kind: "tenant" }
  | { kind: "location"; locationId: number }
  | { kind: "customers"; customerIds: readonly number[] }
  | { kind: "driver"; driverId: number; userId: number }
  | { kind: "hauler"; haulerId: string };

/** A role that is bound to a driver, a hauler, or customers gives no rows to a user without one. */
export function toRowScopes(user: User, roles: readonly Role[]): RowScope[] {
  return roles.flatMap((role) => rowScopeOf(user, role));
}

export interface Scope {
  tenantId: number;
  rowScopes: readonly RowScope[];
}

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

export const wholeTenant: readonly RowScope[] = [{ kind: "tenant" }];
