import { isLive, makeTokenSecret, toTokenText } from "../../auth/tokens.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { TokenModel } from "../../models/user.ts";
import { found } from "../records.ts";
import { isPersonal } from "./is-personal.ts";
import { toTokenAnswer } from "./token-answer.ts";

export const rotateToken = defineOperation({
  name: "tokens.rotate",
  summary: "Replace an access token by a new one, shown once; the old one stops at once",
  method: "POST",
  path: "/tokens/{token_id}/rotate",
  params: { token_id: id() },
  query: {},
  body: null,
  output: TokenModel,
  roles: ["Admin"],
  // Programs that still use the old token lose access, so the terminal asks first.
  effect: "delete",
  extension: true,
  async run({ actor, service, store, changed }, { params }) {
    const before = found(await store.tokens.find(params.token_id), "token", params.token_id);
    if (!isLive(before, service)) {
      const why = before.revoked_on
        ? `was revoked on ${before.revoked_on}`
        : `expired on ${before.expires_on}`;
      throw failure("state_conflict", `Token ${before.id} ${why}; make a new one.`);
    }
    const { secret, hash } = makeTokenSecret(service);
    // The caller who reads the new secret must not reach the tenants that only the token's own person reaches.
    const after = { ...before, is_personal: before.is_personal && isPersonal(actor, before.uid) };
    await store.tokens.replaceSecret(after.id, hash, after.is_personal);
    changed({ type: "Token", action: "rotated", id: after.id, before, after });
    return toTokenAnswer(service, after, toTokenText(after.id, secret));
  },
});
