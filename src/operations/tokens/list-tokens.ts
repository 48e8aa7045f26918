import { defineOperation } from "../../core/operation.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { TokenListModel } from "../../models/user.ts";
import { toTokenAnswer } from "./token-answer.ts";

export const listTokens = defineOperation({
  name: "tokens.list",
  summary: "List the access tokens that the tenant made",
  method: "GET",
  path: "/tokens",
  params: {},
  query: paging,
  body: null,
  output: TokenListModel,
  roles: ["Admin"],
  effect: "read",
  extension: true,
  // Whether a token is active: it expires by itself.
  dependsOnTime: true,
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
