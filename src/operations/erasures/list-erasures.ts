import { defineOperation } from "../../core/operation.ts";
import { ErasureListModel, erasureFilters } from "../../models/erasure.ts";
import { cursorPaging, toList, toPaging } from "../../models/page.ts";

export const listErasures = defineOperation({
  name: "erasures.list",
  summary: "List whose personal data was erased, by whom and when, the oldest first",
  route: "GET /erasures",
  query: { ...cursorPaging, ...erasureFilters },
  output: ErasureListModel,
  allow: ["Admin"],
  extension: true,
  async run({ store }, { query }) {
    const wanted = toPaging(query);
    return toList(await store.erasures.page(query.since ?? null, wanted), wanted);
  },
});
