import { createHash, timingSafeEqual } from "node:crypto";
import { failure } from "../errors/errors.ts";
import type { Token } from "../store/queries/tokens.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import { type Actor, toActor } from "./actor.ts";

/** As much of a service as tells who calls. */
interface AuthService {
  clock: StoreClock;
  store: Pick<Store, "accounts">;
}

const prefix = "dispatch";

/** Makes the secret part of a token: 256 random bits as text, and the hash that the store keeps (OP-80). */
export function makeTokenSecret(service: { randomBytes(count: number): Uint8Array }): {
  secret: string;
  hash: string;
} {
  const secret = Buffer.from(service.randomBytes(32)).toString("base64url");
  return { secret, hash: hashSecret(secret) };
}

/** The token as it is handed out: `<prefix>.<id>.<secret>`, within the interface's pattern. */
export function toTokenText(id: number, secret: string): string {
  return `${prefix}.${id}.${secret}`;
}

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/**
 * Finds the token of an authorization header. Whatever is wrong with it, the answer is the same 401, so that a caller
 * cannot tell an unknown token from an expired one (OP-14). Every token of this service matches the interface's
 * pattern, so one that does not is simply unknown.
 */
export async function authenticate(service: AuthService, header: string | undefined): Promise<Token> {
  const [, idText, secret] = /^bearer dispatch\.(\d{1,15})\.([\w-]{43})$/i.exec(header ?? "") ?? [];
  const stored = idText && secret ? await service.store.accounts.findToken(Number(idText)) : undefined;
  await service.clock.refresh();
  if (
    !secret ||
    !stored ||
    !isSame(hashSecret(secret), stored.secretHash) ||
    !isLive(stored.token, service)
  ) {
    throw failure(
      "unauthenticated",
      "The request needs a bearer token that is known, not expired and not revoked.",
      "authorization",
    );
  }
  return stored.token;
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Whether a token is neither revoked nor expired. */
export function isLive(
  token: Pick<Token, "expires_on" | "revoked_on">,
  { clock }: Pick<AuthService, "clock">,
): boolean {
  return token.revoked_on === null && (token.expires_on === null || token.expires_on > clock.now());
}

/**
 * Who the token's user is in a tenant. A token that somebody else made for the user reaches only the tenant it was made
 * in: an Admin there must not come into the user's other tenants. A tenant it has no access to, existing or not, is one and the
 * same 403 (OP-15).
 */
export async function toTenantActor(service: AuthService, token: Token, tenantId: number): Promise<Actor> {
  const isReached = token.is_personal || token.tenant_id === tenantId;
  const user = isReached ? await service.store.accounts.findMember(token.uid, tenantId) : undefined;
  if (!user) throw failure("tenant_not_accessible", "The token has no access to this tenant.", "x-tenant-id");
  return toActor(tenantId, user, token.roles, token);
}

/** Who the token's user is for operations that need no tenant: the user in the first tenant that it reaches. */
export async function toHomeActor(service: AuthService, token: Token): Promise<Actor> {
  const tenants = await service.store.accounts.tenantsOf(token.uid, reachOf(token), { index: 1, limit: 1 });
  const home = tenants.rows[0];
  if (!home) throw failure("tenant_not_accessible", "The token has no access to any tenant.", "x-tenant-id");
  return toTenantActor(service, token, home.id);
}

/** The only tenant that a token reaches; null when it reaches all of its person's. */
export function reachOf({ is_personal, tenant_id }: Token): number | null {
  return is_personal ? null : tenant_id;
}
