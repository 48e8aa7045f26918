import { defineOperation } from "../../core/operation.ts";
import { paging, toList, toPaging } from "../../models/page.ts";
import { TokenListModel } from "../../models/user.ts";
import { toTokenAnswer } from "./token-answer.ts";

export const listTokens = defineOperation({
  name: "tokens.list",
  summary: "List the access tokens that the tenant made",
  route: "GET /tokens",
  query: paging,
  output: TokenListModel,
  allow: ["Admin"],
  extension: true,
  reads: {
    // Whether a token is active: it expires by itself.
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
