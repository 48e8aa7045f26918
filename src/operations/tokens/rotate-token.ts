import { isLive, makeTokenSecret, toTokenText } from "../../auth/tokens.ts";
import type { Context } from "../../core/context.ts";
import { defineOperation } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { id } from "../../models/fields.ts";
import { TokenModel } from "../../models/user.ts";
import type { Token } from "../../store/queries/tokens.ts";
import { found } from "../records.ts";
import { findMaker, requireWithin } from "./find-maker.ts";
import { isPersonal } from "./is-personal.ts";
import { toTokenAnswer } from "./token-answer.ts";

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
