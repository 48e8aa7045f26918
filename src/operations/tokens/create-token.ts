import { failure } from "../../errors.ts";
import { CreateTokenModel, type Role, TokenModel, type User } from "../../models/user.ts";
import { defineOperation } from "../../operation.ts";
import { makeTokenSecret, toTokenText } from "../../tokens.ts";
import { toTokenAnswer } from "./token-answer.ts";

export const createToken = defineOperation({
  name: "tokens.create",
  summary: "Make an access token for a user; it is shown once",
  method: "POST",
  path: "/tokens",
  params: {},
  query: {},
  body: CreateTokenModel,
  output: TokenModel,
  roles: ["Admin"],
  effect: "write",
  extension: true,
  cli: { example: "tokens create --username dana --roles Dispatcher" },
  async run({ now, service, store, changed }, { body }) {
    const user = await store.users.findByUsername(body.username);
    if (!user) {
      const field = "CreateTokenModel.username";
      throw failure(
        "unknown_reference",
        `${field}: there is no user ${body.username}; \`dispatch-cli users list\` lists them.`,
        field,
      );
    }
    const { secret, hash } = makeTokenSecret(service);
    const token = await store.tokens.insert({
      api_version: body.api_version ?? null,
      created_on: now,
      expires_on: body.expires_on ?? null,
      name: body.name ?? null,
      roles: toTokenRoles(user, body.roles ?? user.roles),
      secret_hash: hash,
      uid: user.uid,
      username: user.username,
    });
    changed({ type: "Token", action: "created", id: token.id, before: null, after: token });
    return toTokenAnswer(service, token, toTokenText(token.id, secret));
  },
});

/** A token's roles are a subset of its user's (OP-80). */
function toTokenRoles(user: User, wanted: readonly Role[]): Role[] {
  const foreign = wanted.filter((role) => !user.roles.includes(role));
  if (foreign.length === 0) return [...wanted];
  const field = "CreateTokenModel.roles";
  const detail = `${field}: ${user.username} has the roles ${user.roles.join(", ")}, not ${foreign.join(", ")}.`;
  throw failure("invalid_choice", detail, field);
}
