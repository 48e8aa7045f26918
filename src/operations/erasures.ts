import type { Context } from "../core/context.ts";
import { defineOperation } from "../core/operation.ts";
import { ErasureListModel, erasureFilters } from "../models/erasure.ts";
import { cursorPaging, toList, toPaging } from "../models/page.ts";
import type { ErasureCounts } from "../store/queries/erased-people.ts";
import type { ErasedType } from "../store/queries/erasures.ts";
import { sweepErasure } from "../store/sweep-erasure.ts";

export const listErasures = defineOperation({
  name: "erasures.list",
  summary: "List erasures of personal data with record, user, and time, oldest first",
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

/** Enough for nearly all records within the request. */
const batchesAtOnce = 12;
/** Above this, the background erases the rest: a request is one transaction, and other writers wait for it. */
const rowsAtOnce = 150;

/** The record's own rows are erased already. Erases the first part of its history, usually all. */
export async function beginErasure(
  { actor, now, store }: Context,
  record: { id: number; type: ErasedType },
  counts: ErasureCounts,
) {
  let erasure = await store.erasures.insert(record, actor.user.id, now);
  for (let batches = 0; batches < batchesAtOnce; batches += 1) {
    const outcome = await sweepErasure(store, erasure, now);
    erasure = (await store.erasures.find(erasure.id)) ?? erasure;
    if (outcome !== "more" || Number(erasure.rows_changed) >= rowsAtOnce) break;
  }
  const { after_id: _, attempts_after: __, step: ___, ...shown } = erasure;
  return { ...shown, ...counts };
}
