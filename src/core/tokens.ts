import { createHash, timingSafeEqual } from "node:crypto";
import { failure } from "../errors/errors.ts";
import { toEpochMs } from "../runtime/clock.ts";
import { toLinkHash } from "../store/queries/link-hash.ts";
import type { Token } from "../store/queries/tokens.ts";
import type { Store } from "../store/store.ts";
import type { StoreClock } from "../store/store-clock.ts";
import { type Actor, toActor } from "./actor.ts";

export interface AuthService {
  clock: StoreClock;
  store: { accounts: Pick<Store["accounts"], "findMember" | "findToken" | "tenantsOf"> };
}

const prefix = "dispatch";

/** A secret of 256 random bits, and its hash for the store. */
export function makeTokenSecret(service: { randomBytes(count: number): Uint8Array }): {
  secret: string;
  hash: string;
} {
  const secret = Buffer.from(service.randomBytes(32)).toString("base64url");
  return { secret, hash: hashSecret(secret) };
}

/** `<prefix>.<id>.<secret>`, as the owner gets it. */
export function toTokenText(id: number, secret: string): string {
  return `${prefix}.${id}.${secret}`;
}

export const mask = "***";

/** A URL may escape the dots of a token. */
export const maskTokens = (text: string): string =>
  text.replace(/dispatch(?:\.|%2e)\d{1,15}(?:\.|%2e)[\w-]{43}/gi, mask);

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Throws the same 401 for every cause, so that a caller cannot tell an unknown token from an expired one. */
export async function authenticate(
  service: AuthService,
  header: string | undefined,
  credential: Credential = "token",
): Promise<Token> {
  const [, idText, secret] = /^bearer dispatch\.(\d{1,15})\.([\w-]{43})$/i.exec(header ?? "") ?? [];
  const stored = idText && secret ? await service.store.accounts.findToken(Number(idText)) : undefined;
  await service.clock.refresh();
  if (
    !secret ||
    !stored ||
    !isSame(toStoredHash(secret, credential), stored.secretHash) ||
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

/** A link authenticates only its exchange for a token. */
export type Credential = "link" | "token";

const toStoredHash = (secret: string, credential: Credential) =>
  credential === "link" ? toLinkHash(hashSecret(secret)) : hashSecret(secret);

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

export function isLive(
  token: Pick<Token, "created_on" | "expires_on" | "is_link" | "revoked_on">,
  { clock }: Pick<AuthService, "clock">,
): boolean {
  const now = clock.now();
  if (token.is_link && toEpochMs(token.created_on) + linkMs <= toEpochMs(now)) return false;
  return token.revoked_on === null && (token.expires_on === null || token.expires_on > now);
}

/** Counts from the creation of a link. Its `expires_on` is the end of the token that it becomes. */
const linkMs = 10 * 60_000;

/**
 * A token that an Admin made for the user reaches only its own tenant: the Admin must not get into the user's other
 * tenants. Throws the same 403 for every other tenant, whether it exists or not.
 */
export async function toTenantActor(service: AuthService, token: Token, tenantId: number): Promise<Actor> {
  const isReached = token.is_personal || token.tenant_id === tenantId;
  const member = isReached ? await service.store.accounts.findMember(token.uid, tenantId) : undefined;
  if (!member)
    throw failure("tenant_not_accessible", "The token has no access to this tenant.", "x-tenant-id");
  if (member.movedTo !== null)
    throw failure("tenant_moved", `The tenant was moved to ${member.movedTo}.`, "x-tenant-id");
  return { ...toActor(tenantId, member.user, token.roles, token), frozenReason: member.frozenReason };
}

/** For operations without a tenant: the first tenant that the token reaches. */
export async function toHomeActor(service: AuthService, token: Token): Promise<Actor> {
  const tenants = await service.store.accounts.tenantsOf(token.uid, reachOf(token), { index: 1, limit: 1 });
  // Without an active tenant, the token's own one gives the reason.
  return toTenantActor(service, token, tenants.rows[0]?.id ?? token.tenant_id);
}

/** The only tenant of the token; null for all tenants of its user. */
export function reachOf({ is_personal, tenant_id }: Token): number | null {
  return is_personal ? null : tenant_id;
}
