import { sql } from "kysely";
import {
  parseStoredText,
  type StoredLayout,
  toStoredPrefix,
  toStoredText,
} from "../../models/stored-record.ts";
import type { TenantAccess } from "../access/access.ts";

/** Finds and rewrites jobs of another layout in batches, visible or not. */
export function jobReencodingQueries(access: TenantAccess) {
  return {
    /** The last id of the next batch, null at the end, and whether one of the batch has another layout. */
    async lookAfter(
      id: number,
      limit: number,
      layout: StoredLayout,
    ): Promise<{ hasOther: boolean; lastId: number | null }> {
      const rows = await access
        .selectUnseen("jobs")
        .where("id", ">", id)
        .select(["id", isOther(layout).as("is_other")])
        .orderBy("id")
        .limit(limit)
        .execute();
      return { hasOther: rows.some((row) => row.is_other), lastId: rows.at(-1)?.id ?? null };
    },

    async reencodeBetween(fromId: number, lastId: number, layout: StoredLayout): Promise<void> {
      const others = await access
        .selectUnseen("jobs")
        .where("id", ">", fromId)
        .where("id", "<=", lastId)
        .where(isOther(layout))
        .select(["id", "record"])
        .execute();
      for (const { id, record } of others) {
        const rewritten = toStoredText(layout, parseStoredText(layout, record));
        await access.update("jobs").set({ record: rewritten }).where("id", "=", id).execute();
      }
    },
  };
}

function isOther(layout: StoredLayout) {
  const prefix = toStoredPrefix(layout);
  return sql<boolean>`substr(record, 1, ${sql.lit(prefix.length)}) <> ${prefix}`;
}
