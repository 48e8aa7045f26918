import { isLive } from "../../auth/tokens.ts";
import type { Context } from "../../core/context.ts";
import { DispatchError, failure, type Violation } from "../../errors/errors.ts";
import type { Role } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Token } from "../../store/queries/tokens.ts";

/** The token that a caller makes tokens with, and how far they may reach (OP-106). */
export interface Maker {
  id: number;
  /** null: it does not expire. */
  expiresOn: Timestamp | null;
  /** Those that its user still has in this tenant. */
  roles: readonly Role[];
}

/**
 * The caller's token as it is in this transaction, which keeps it so until its end: a revocation of it comes before, and
 * then this throws unauthenticated, or after, and then it finds what was made. null for a caller without a token, who has
 * the store and is bound by none.
 */
export async function findMaker({ actor, service, store }: Context): Promise<Maker | null> {
  if (actor.tokenId === null) return null;
  const token = await store.tokenLineage.hold(actor.tokenId);
  if (!token || !isLive(token, service)) {
    const detail = "The token of the request was revoked or has expired meanwhile.";
    throw failure("unauthenticated", detail, "authorization");
  }
  const user = await store.accounts.findMember(token.uid, actor.scope.tenantId);
  const roles = token.roles.filter((role) => user?.roles.includes(role));
  return { id: token.id, expiresOn: token.expires_on, roles };
}

/** What a token is to reach. */
type Wanted = Pick<Token, "expires_on" | "roles">;

/**
 * Refuses roles that the maker has not, and a later end than its own; `prefix` is that of the request's fields, null where
 * the request names neither.
 */
export function requireWithin(
  maker: Maker | null,
  { expires_on, roles }: Wanted,
  prefix: string | null,
): void {
  if (maker === null) return;
  const violations: Violation[] = [];
  const beyond = roles.filter((role) => !maker.roles.includes(role));
  if (beyond.length > 0) violations.push(toViolation(prefix, "roles", toRolesDetail(maker, beyond)));
  if (maker.expiresOn !== null && (expires_on === null || expires_on > maker.expiresOn)) {
    const end = expires_on === null ? "no end" : `the end ${expires_on}`;
    const detail = `${end} is later than that of token ${maker.id}, which asks: ${maker.expiresOn}`;
    violations.push(toViolation(prefix, "expires_on", detail));
  }
  const [first, ...rest] = violations;
  if (first) throw new DispatchError([first, ...rest]);
}

/** Says which roles are beyond the maker. */
export function toRolesDetail({ id, roles }: Maker, beyond: readonly Role[]): string {
  return `${beyond.join(", ")} is beyond token ${id}, which asks and has ${roles.join(", ") || "no role"}`;
}

function toViolation(prefix: string | null, name: string, problem: string): Violation {
  const field = prefix === null ? null : `${prefix}${name}`;
  return { code: "token_exceeds_maker", detail: `${field ?? name}: ${problem}.`, field };
}
