import type { Role, User } from "../models/user.ts";
import { type Scope, toScope } from "../store/access/row-scopes.ts";
import type { Token } from "../store/queries/tokens.ts";

/** The user of a call in one tenant, with the roles that the call may use. */
export interface Actor {
  /** Why the tenant is frozen; null if it is not. */
  frozenReason: string | null;
  roles: readonly Role[];
  scope: Scope;
  /** The only tenant of the token; null for all tenants of the user. */
  reach: number | null;
  /** null for a local command without a token. */
  tokenId: number | null;
  user: User;
}

/** The unknown caller. Sees and writes nothing, because its tenant does not exist. */
export const nobody: Actor = {
  frozenReason: null,
  reach: null,
  roles: [],
  scope: { tenantId: 0, rowScopes: [] },
  tokenId: null,
  user: {
    customer_ids: [],
    dispatcher_id: null,
    driver_id: null,
    id: 0,
    location_id: null,
    roles: [],
    third_party_hauler_id: null,
    uid: "00000000-0000-0000-0000-000000000000",
    username: "",
  },
};

/** Ignores roles that the user does not have. */
export function toActor(
  tenantId: number,
  user: User,
  allowed: readonly Role[] | null,
  token: Pick<Token, "id" | "is_personal" | "tenant_id"> | null,
): Actor {
  const roles = allowed === null ? user.roles : user.roles.filter((role) => allowed.includes(role));
  const reach = token === null || token.is_personal ? null : token.tenant_id;
  return {
    frozenReason: null,
    reach,
    roles,
    scope: toScope(tenantId, user, roles),
    tokenId: token?.id ?? null,
    user,
  };
}
