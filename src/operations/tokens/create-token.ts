import type * as z from "zod";
import { makeTokenSecret, toTokenText } from "../../auth/tokens.ts";
import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { DispatchError, failure } from "../../errors/errors.ts";
import { CreateTokenModel, type Role, TokenModel, type User } from "../../models/user.ts";
import { toNewUser } from "../../store/queries/new-user.ts";
import { requireTenantWide } from "../records.ts";
import { findMaker, type Maker, requireWithin, toRolesDetail } from "./find-maker.ts";
import { isPersonal } from "./is-personal.ts";
import { toTokenAnswer } from "./token-answer.ts";

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
