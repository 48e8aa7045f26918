import type * as z from "zod";
import type { Actor } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { isLive, makeTokenSecret, toTokenText } from "../core/tokens.ts";
import { DispatchError, failure, type Violation } from "../errors/errors.ts";
import { id } from "../models/fields.ts";
import { CreateTokenModel, type Role, TokenModel, type User } from "../models/user.ts";
import { type Timestamp, toEpochMs, toTimestamp } from "../runtime/clock.ts";
import { toLinkHash } from "../store/queries/link-hash.ts";
import { toNewUser } from "../store/queries/new-user.ts";
import type { Token } from "../store/queries/tokens.ts";
import { found, requireTenantWide } from "./records.ts";
import { toTokenAnswer } from "./tokens.ts";

type CreateToken = z.output<typeof CreateTokenModel>;

const prefix = "CreateTokenModel.";

export const createToken = defineOperation({
  name: "tokens.create",
  summary: "Create an access token for a user, and the user if it does not exist; the token is shown once",
  description:
    "Only this answer shows the token itself. The token cannot have more roles or a later end than the token that creates it; a sign-in link may have the role Driver too.",
  route: "POST /tokens",
  body: CreateTokenModel,
  output: TokenModel,
  allow: ["Admin"],
  refuses: ["token_exceeds_maker"],
  extension: true,
  async run(context, { body }) {
    const { actor, now, service, store, changed } = context;
    requireTenantWide(actor);
    const isLink = body.is_link === true;
    const maker = toGiver(await findMaker(context), isLink);
    const expiresOn = body.expires_on ?? toDefaultEnd(maker, now, isLink);
    requireWithin(maker, { expires_on: expiresOn, roles: body.roles ?? [] }, prefix);
    const user = (await store.users.findByUsername(body.username)) ?? (await createUser(context, body));
    const { secret, hash } = makeTokenSecret(service);
    const token = await store.tokens.insert({
      api_version: body.api_version ?? null,
      created_by_token_id: maker?.id ?? null,
      created_on: now,
      expires_on: expiresOn,
      // A link names no tenant, so it reaches only this one.
      is_personal: !isLink && isPersonal(actor, user.uid),
      name: body.name ?? null,
      roles: body.roles ? requireOwnRoles(user, body.roles) : toSharedRoles(user, maker),
      secret_hash: isLink ? toLinkHash(hash) : hash,
      uid: user.uid,
      username: user.username,
    });
    changed({ type: "Token", action: "created", id: token.id, before: null, after: token });
    return toTokenAnswer(service, token, { lastUsedOn: null, text: toTokenText(token.id, secret) });
  },
});

/** The office signs drivers in on their phones, and does not have their role. */
function toGiver(maker: Maker | null, isLink: boolean): Maker | null {
  return maker && isLink ? { ...maker, roles: [...new Set<Role>([...maker.roles, "Driver"])] } : maker;
}

/** The maker's end; for a link at most 30 days. */
function toDefaultEnd(maker: Maker | null, now: Timestamp, isLink: boolean): Timestamp | null {
  const end = maker?.expiresOn ?? null;
  if (!isLink) return end;
  const linkEnd = toTimestamp(toEpochMs(now) + 30 * 24 * 60 * 60_000);
  return end !== null && end < linkEnd ? end : linkEnd;
}

/** Throws if the body names no roles. */
async function createUser({ now, service, store, changed }: Context, body: CreateToken): Promise<User> {
  if (!body.roles) {
    const field = `${prefix}username`;
    const detail = `${field}: user ${body.username} does not exist; give roles to create it.`;
    throw new DispatchError([{ code: "unknown_reference", detail, field, see: { operation: "users.list" } }]);
  }
  const user = await store.users.insert(toNewUser(body.username, body.roles, service.makeUuid(), now));
  changed({ type: "User", action: "created", id: user.id, before: null, after: user });
  return user;
}

function requireOwnRoles(user: User, wanted: readonly Role[]): Role[] {
  const foreign = wanted.filter((role) => !user.roles.includes(role));
  if (foreign.length === 0) return [...wanted];
  const field = `${prefix}roles`;
  const detail = `${field}: ${user.username} has the roles ${user.roles.join(", ")}, not ${foreign.join(", ")}.`;
  throw failure("invalid_choice", detail, field);
}

/** Roles that user and maker share. A token without a role would be useless. */
function toSharedRoles(user: User, maker: Maker | null): Role[] {
  const shared = user.roles.filter((role) => maker === null || maker.roles.includes(role));
  if (maker === null || shared.length > 0) return shared;
  const field = `${prefix}roles`;
  throw failure("token_exceeds_maker", `${field}: ${toRolesDetail(maker, user.roles)}.`, field);
}

export const rotateToken = defineOperation({
  name: "tokens.rotate",
  summary: "Replace an access token with a new one, shown once; the old one stops working",
  description: "Only this answer shows the new token.",
  route: "POST /tokens/{token_id}/rotate",
  params: { token_id: id() },
  output: TokenModel,
  allow: ["Admin"],
  // Programs that still use the old token lose access, so the terminal asks first.
  effect: "delete",
  refuses: ["token_exceeds_maker"],
  extension: true,
  async run(context, { params }) {
    const { actor, service, store, changed } = context;
    const before = found(await store.tokens.find(params.token_id), "token", params.token_id);
    if (!isLive(before, service)) {
      const why = before.revoked_on
        ? `was revoked on ${before.revoked_on}`
        : `expired on ${before.expires_on}`;
      throw failure("state_conflict", `Token ${before.id} ${why}; create a new one.`);
    }
    if (before.is_link)
      throw failure("state_conflict", `Token ${before.id} is an unused sign-in link; create a new one.`);
    const { secret, hash } = makeTokenSecret(service);
    const after = {
      ...before,
      created_by_token_id: await toMakerId(context, before),
      // The caller reads the new secret, so it must not reach tenants that only the token's own person reaches.
      is_personal: before.is_personal && isPersonal(actor, before.uid),
    };
    await store.tokens.replaceSecret(after, hash);
    changed({ type: "Token", action: "rotated", id: after.id, before, after });
    const uses = await store.tokenLineage.lastUses([after]);
    const facts = { lastUsedOn: uses.get(after.id) ?? null, text: toTokenText(after.id, secret) };
    return toTokenAnswer(service, after, facts);
  },
});

/** The caller is the link itself. Not in the table of operations: no token and no role may call it. */
export const exchangeLink = defineOperation({
  name: "tokens.exchange",
  summary: "Exchange a sign-in link for its access token, once",
  route: "POST /sign-in",
  output: TokenModel,
  allow: "anyRole",
  extension: true,
  async run({ actor, service, store, changed }) {
    const { secret, hash } = makeTokenSecret(service);
    const after =
      actor.tokenId === null ? undefined : await store.tokenLineage.exchangeLink(actor.tokenId, hash);
    if (!after)
      throw failure("unauthenticated", "The sign-in link was already used, or has expired.", "authorization");
    const before = { ...after, is_link: true };
    changed({ type: "Token", action: "exchanged", id: after.id, before, after });
    return toTokenAnswer(service, after, { lastUsedOn: null, text: toTokenText(after.id, secret) });
  },
});

/** The caller's token counts as maker. Refuses a token with more rights, and an ancestor of the caller's token. */
async function toMakerId(context: Context, token: Token): Promise<number | null> {
  const maker = await findMaker(context);
  // A token that replaces itself gives no other caller anything new.
  if (maker?.id === token.id) return token.created_by_token_id;
  requireWithin(maker, token, null);
  if (maker && (await context.store.tokenLineage.isDescendant(maker.id, token.id))) {
    const detail = `Token ${maker.id} of this request was created with token ${token.id}, so it cannot replace token ${token.id}.`;
    throw failure("token_exceeds_maker", detail);
  }
  return maker?.id ?? null;
}

/** The caller's token limits the tokens created with it. */
interface Maker {
  id: number;
  expiresOn: Timestamp | null;
  /** The roles that its user still has in this tenant. */
  roles: readonly Role[];
}

/** Locks the caller's token: a revocation comes before (throws unauthenticated) or finds the new token. */
async function findMaker({ actor, service, store }: Context): Promise<Maker | null> {
  if (actor.tokenId === null) return null;
  const token = await store.tokenLineage.hold(actor.tokenId);
  if (!token || !isLive(token, service)) {
    const detail = "The token of the request was revoked or has expired.";
    throw failure("unauthenticated", detail, "authorization");
  }
  const member = await store.accounts.findMember(token.uid, actor.scope.tenantId);
  const roles = token.roles.filter((role) => member?.user.roles.includes(role));
  return { id: token.id, expiresOn: token.expires_on, roles };
}

type Wanted = Pick<Token, "expires_on" | "roles">;

/** Refuses roles that the maker lacks, and a later end. `prefix` begins field names. */
function requireWithin(maker: Maker | null, { expires_on, roles }: Wanted, prefix: string | null): void {
  if (maker === null) return;
  const violations: Violation[] = [];
  const beyond = roles.filter((role) => !maker.roles.includes(role));
  if (beyond.length > 0) violations.push(toViolation(prefix, "roles", toRolesDetail(maker, beyond)));
  if (maker.expiresOn !== null && (expires_on === null || expires_on > maker.expiresOn)) {
    const end = expires_on === null ? "no end" : `the end ${expires_on}`;
    const detail = `${end} is later than the end of token ${maker.id} of this request, ${maker.expiresOn}`;
    violations.push(toViolation(prefix, "expires_on", detail));
  }
  const [first, ...rest] = violations;
  if (first) throw new DispatchError([first, ...rest]);
}

function toRolesDetail({ id, roles }: Maker, beyond: readonly Role[]): string {
  return `${beyond.join(", ")} is beyond token ${id} of this request, which has ${roles.join(", ") || "no role"}`;
}

function toViolation(prefix: string | null, name: string, problem: string): Violation {
  const field = prefix === null ? null : `${prefix}${name}`;
  return { code: "token_exceeds_maker", detail: `${field ?? name}: ${problem}.`, field };
}

/** A new token reaches all tenants of its person only if the caller is that person and its own token does so. */
function isPersonal({ reach, user }: Actor, uid: string): boolean {
  return reach === null && user.uid === uid;
}
