import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import { isLive } from "../core/tokens.ts";
import { boolean, id } from "../models/fields.ts";
import { optional } from "../models/model.ts";
import { paging, toList, toPaging } from "../models/page.ts";
import { RevokedTokenModel, TokenListModel } from "../models/user.ts";
import type { Timestamp } from "../runtime/clock.ts";
import type { Token } from "../store/queries/tokens.ts";
import { found } from "./records.ts";

export const listTokens = defineOperation({
  name: "tokens.list",
  summary: "List the access tokens of the tenant",
  route: "GET /tokens",
  query: paging,
  output: TokenListModel,
  allow: ["Admin"],
  extension: true,
  reads: {
    // A token expires without a write.
    varies: "by-time",
  },
  async run({ service, store }, { query }) {
    const wanted = toPaging(query);
    const page = await store.tokens.page(wanted);
    const uses = await store.tokenLineage.lastUses(page.rows);
    const rows = page.rows.map((token) =>
      toTokenAnswer(service, token, { lastUsedOn: uses.get(token.id) ?? null }),
    );
    return toList({ ...page, rows }, wanted);
  },
});

export const revokeToken = defineOperation({
  name: "tokens.revoke",
  summary: "Revoke an access token permanently, with the tokens created with it",
  description: "Tokens created with it are revoked too, unless keep_descendants is true.",
  route: "DELETE /tokens/{token_id}",
  params: { token_id: id() },
  query: {
    keep_descendants: optional(boolean().describe("true keeps the tokens created with it")),
  },
  output: RevokedTokenModel,
  allow: ["Admin"],
  extension: true,
  async run(context, { params, query }) {
    const { service, store } = context;
    const token = found(await store.tokens.find(params.token_id), "token", params.token_id);
    const revoked = token.revoked_on === null ? await revoke(context, token) : token;
    // A token that was revoked before may still have descendants.
    const all = query.keep_descendants === true ? [] : await revokeDescendants(context, token.id);
    const own = all.filter(({ tenant_id }) => tenant_id === token.tenant_id);
    const uses = await store.tokenLineage.lastUses([token]);
    return {
      ...toTokenAnswer(service, revoked, { lastUsedOn: uses.get(token.id) ?? null }),
      descendants: own.map(({ id }) => id),
      descendants_elsewhere: all.length - own.length,
    };
  },
});

async function revoke({ now, store, changed }: Context, token: Token): Promise<Token> {
  const revoked = { ...token, revoked_on: now };
  await store.tokens.revoke(token.id, now);
  changed({ type: "Token", action: "revoked", id: token.id, before: token, after: revoked });
  return revoked;
}

/** Other tenants have their own audit trails. */
async function revokeDescendants({ actor, now, store, changed }: Context, tokenId: number): Promise<Token[]> {
  const revoked = await store.tokenLineage.revokeDescendants(tokenId, now);
  for (const token of revoked) {
    if (token.tenant_id !== actor.scope.tenantId) continue;
    const before = { ...token, revoked_on: null };
    changed({ type: "Token", action: "revoked", id: token.id, before, after: token });
  }
  return revoked;
}

interface TokenFacts {
  /** The last call in any tenant; servers record it once a minute. */
  lastUsedOn: Timestamp | null;
  /** Known only at its creation. */
  text?: string;
}

export function toTokenAnswer(
  service: Pick<Service, "clock">,
  token: Token,
  { lastUsedOn, text }: TokenFacts,
) {
  return { ...token, is_active: isLive(token, service), last_used_on: lastUsedOn, token: text ?? null };
}
