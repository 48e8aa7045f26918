import type { Role, User } from "../../models/user.ts";

/** One reason for which a caller sees records; a caller sees what any of its views shows (OP-53, OP-54). */
export type RowScope =
  | { sees: "tenant" }
  | { sees: "location"; locationId: number }
  | { sees: "customers"; customerIds: readonly number[] }
  | { sees: "driver"; driverId: number; userId: number }
  | { sees: "hauler"; haulerId: string };

/** What a user sees when acting with the given roles. A user who should be bound to something and is not sees nothing. */
export function toRowScopes(user: User, roles: readonly Role[]): RowScope[] {
  return roles.flatMap((role) => rowScopeOf(user, role));
}

/** Whose rows, and which of them. */
export interface Scope {
  tenantId: number;
  rowScopes: readonly RowScope[];
}

/** What a user sees of a tenant when acting with the given roles. */
export function toScope(tenantId: number, user: User, roles: readonly Role[]): Scope {
  return { tenantId, rowScopes: toRowScopes(user, roles) };
}

function rowScopeOf(user: User, role: Role): RowScope[] {
  switch (role) {
    case "Admin":
    case "Dispatcher":
    case "CrmUser":
      return [
        user.location_id === null ? { sees: "tenant" } : { sees: "location", locationId: user.location_id },
      ];
    case "ClientCustomer":
      return user.customer_ids.length === 0 ? [] : [{ sees: "customers", customerIds: user.customer_ids }];
    case "Driver":
    case "ThirdPartyDriver":
      return user.driver_id === null ? [] : [{ sees: "driver", driverId: user.driver_id, userId: user.id }];
    case "ThirdPartyDispatcher":
      return user.third_party_hauler_id === null
        ? []
        : [{ sees: "hauler", haulerId: user.third_party_hauler_id }];
  }
}

/** Sees everything of the tenant: the program itself, for what no caller asked for. */
export const wholeTenant: readonly RowScope[] = [{ sees: "tenant" }];
