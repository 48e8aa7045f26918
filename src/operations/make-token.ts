import type * as z from "zod";
import type { Actor } from "../auth/actor.ts";
import { isLive, makeTokenSecret, toTokenText } from "../auth/tokens.ts";
import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { DispatchError, failure, type Violation } from "../errors/errors.ts";
import { id } from "../models/fields.ts";
import { CreateTokenModel, type Role, TokenModel, type User } from "../models/user.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { toNewUser } from "../store/queries/new-user.ts";
import type { Token } from "../store/queries/tokens.ts";
import { found, requireTenantWide } from "./records.ts";
import { toTokenAnswer } from "./tokens.ts";

type CreateToken = z.output<typeof CreateTokenModel>;

const prefix = "CreateTokenModel.";

export const createToken = defineOperation({
  name: "tokens.create",
  summary: "Make an access token for a user, and the user unless there is one; the token is shown once",
  description:
    "The token itself is shown in this answer only. It reaches no further than the token that it is made with, and ends no later.",
  route: "POST /tokens",
  body: CreateTokenModel,
  output: TokenModel,
  allow: ["Admin"],
  refuses: ["token_exceeds_maker"],
  extension: true,
  async run(context, { body }) {
    const { actor, now, service, store, changed } = context;
    requireTenantWide(actor);
    const maker = await findMaker(context);
    // What is left out is the maker's at most.
    const expiresOn = body.expires_on ?? maker?.expiresOn ?? null;
    requireWithin(maker, { expires_on: expiresOn, roles: body.roles ?? [] }, prefix);
    const user = (await store.users.findByUsername(body.username)) ?? (await createUser(context, body));
    const { secret, hash } = makeTokenSecret(service);
    const token = await store.tokens.insert({
      api_version: body.api_version ?? null,
      created_by_token_id: maker?.id ?? null,
      created_on: now,
      expires_on: expiresOn,
      is_personal: isPersonal(actor, user.uid),
      name: body.name ?? null,
      roles: body.roles ? requireOwnRoles(user, body.roles) : toSharedRoles(user, maker),
      secret_hash: hash,
      uid: user.uid,
      username: user.username,
    });
    changed({ type: "Token", action: "created", id: token.id, before: null, after: token });
    return toTokenAnswer(service, token, { lastUsedOn: null, text: toTokenText(token.id, secret) });
  },
});

/** Makes the user of a token whose username nobody has, with the token's roles. Throws when the body names no roles. */
async function createUser({ now, service, store, changed }: Context, body: CreateToken): Promise<User> {
  if (!body.roles) {
    const field = `${prefix}username`;
    const detail = `${field}: there is no user ${body.username}; give roles to make one.`;
    throw new DispatchError([{ code: "unknown_reference", detail, field, see: { operation: "users.list" } }]);
  }
  const user = await store.users.insert(toNewUser(body.username, body.roles, service.makeUuid(), now));
  changed({ type: "User", action: "created", id: user.id, before: null, after: user });
  return user;
}

/** A token's roles are a subset of its user's (OP-80). */
function requireOwnRoles(user: User, wanted: readonly Role[]): Role[] {
  const foreign = wanted.filter((role) => !user.roles.includes(role));
  if (foreign.length === 0) return [...wanted];
  const field = `${prefix}roles`;
  const detail = `${field}: ${user.username} has the roles ${user.roles.join(", ")}, not ${foreign.join(", ")}.`;
  throw failure("invalid_choice", detail, field);
}

/** The user's roles, as far as the maker has them (OP-106). A token without a role would be good for nothing. */
function toSharedRoles(user: User, maker: Maker | null): Role[] {
  const shared = user.roles.filter((role) => maker === null || maker.roles.includes(role));
  if (maker === null || shared.length > 0) return shared;
  const field = `${prefix}roles`;
  throw failure("token_exceeds_maker", `${field}: ${toRolesDetail(maker, user.roles)}.`, field);
}

export const rotateToken = defineOperation({
  name: "tokens.rotate",
  summary: "Replace an access token by a new one, shown once; the old one is not accepted any more",
  description: "The new token is shown in this answer only.",
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
      throw failure("state_conflict", `Token ${before.id} ${why}; make a new one.`);
    }
    const { secret, hash } = makeTokenSecret(service);
    const after = {
      ...before,
      created_by_token_id: await toMakerId(context, before),
      // The caller who reads the new secret must not reach the tenants that only the token's own person reaches.
      is_personal: before.is_personal && isPersonal(actor, before.uid),
    };
    await store.tokens.replaceSecret(after, hash);
    changed({ type: "Token", action: "rotated", id: after.id, before, after });
    const uses = await store.tokenLineage.lastUses([after]);
    const facts = { lastUsedOn: uses.get(after.id) ?? null, text: toTokenText(after.id, secret) };
    return toTokenAnswer(service, after, facts);
  },
});

/**
 * The maker of the token's new secret, which the caller reads: it is as if the caller's token had made the token (OP-106).
 * Refuses a token that reaches further than the caller's, and one that the caller's was made with: revoking that one must
 * go on to end the caller's.
 */
async function toMakerId(context: Context, token: Token): Promise<number | null> {
  const maker = await findMaker(context);
  // A token that replaces itself hands nobody anything new.
  if (maker?.id === token.id) return token.created_by_token_id;
  requireWithin(maker, token, null);
  if (maker && (await context.store.tokenLineage.isDescendant(maker.id, token.id))) {
    const detail = `Token ${maker.id}, which asks, was made with token ${token.id}: it cannot replace that one.`;
    throw failure("token_exceeds_maker", detail);
  }
  return maker?.id ?? null;
}

/** The token that a caller makes tokens with, and how far they may reach (OP-106). */
interface Maker {
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
async function findMaker({ actor, service, store }: Context): Promise<Maker | null> {
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
function requireWithin(maker: Maker | null, { expires_on, roles }: Wanted, prefix: string | null): void {
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
function toRolesDetail({ id, roles }: Maker, beyond: readonly Role[]): string {
  return `${beyond.join(", ")} is beyond token ${id}, which asks and has ${roles.join(", ") || "no role"}`;
}

function toViolation(prefix: string | null, name: string, problem: string): Violation {
  const field = prefix === null ? null : `${prefix}${name}`;
  return { code: "token_exceeds_maker", detail: `${field ?? name}: ${problem}.`, field };
}

/**
 * Whether a token that the caller is given for a person reaches all of that person's tenants: only for the person
 * itself, and not by way of a token that somebody else made for it, which reaches one tenant.
 */
function isPersonal({ reach, user }: Actor, uid: string): boolean {
  return reach === null && user.uid === uid;
}
