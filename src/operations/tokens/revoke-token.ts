import { defineOperation } from "../../core/operation.ts";
import { id } from "../../models/fields.ts";
import { TokenModel } from "../../models/user.ts";
import { found } from "../records.ts";
import { toTokenAnswer } from "./token-answer.ts";

export const revokeToken = defineOperation({
  name: "tokens.revoke",
  summary: "Revoke an access token for good",
  method: "DELETE",
  path: "/tokens/{token_id}",
  params: { token_id: id() },
  query: {},
  body: null,
  output: TokenModel,
  roles: ["Admin"],
  effect: "delete",
  extension: true,
  async run({ now, service, store, changed }, { params }) {
    const token = found(await store.tokens.find(params.token_id), "token", params.token_id);
    if (token.revoked_on !== null) return toTokenAnswer(service, token);
    const revoked = { ...token, revoked_on: now };
    await store.tokens.revoke(token.id, now);
    changed({ type: "Token", action: "revoked", id: token.id, before: token, after: revoked });
    return toTokenAnswer(service, revoked);
  },
});
