import { sql } from "kysely";
import {
  parseStoredText,
  type StoredLayout,
  toStoredPrefix,
  toStoredText,
} from "../../models/stored-record.ts";
import type { TenantAccess } from "../access/access.ts";
import { jobLayout } from "./job-record.ts";

/** What a step of re-encoding did. */
export interface ReencodedBatch {
  /** The last job that was looked at; null when there was none. */
  lastId: number | null;
  reencoded: number;
}

/** Bringing jobs that were stored in another layout into this program's, a few at a time. */
export function jobReencodingQueries(access: TenantAccess) {
  return {
    /** Looks at the next jobs after an id, seen or not: the last of them, and whether one has another layout. */
    async lookAfter(
      id: number,
      limit: number,
      layout: StoredLayout,
    ): Promise<{ hasOther: boolean; lastId: number | null }> {
      const rows = await access
        .selectUnseen("jobs")
        .where("id", ">", id)
        .select(["id", isOther(toStoredPrefix(layout)).as("is_other")])
        .orderBy("id")
        .limit(limit)
        .execute();
      return { hasOther: rows.some((row) => row.is_other), lastId: rows.at(-1)?.id ?? null };
    },

    /** Looks at the next jobs after an id, seen or not, and writes those of another layout anew. */
    async reencodeAfter(
      id: number,
      limit: number,
      layout: StoredLayout = jobLayout,
    ): Promise<ReencodedBatch> {
      const prefix = toStoredPrefix(layout);
      const rows = await access
        .selectUnseen("jobs")
        .where("id", ">", id)
        // Only the texts that are to be read leave the database: most have been written anew already.
        .select(["id", readOther(prefix).as("other")])
        .orderBy("id")
        .limit(limit)
        .execute();
      const others = rows.flatMap(({ id: jobId, other }) => (other === null ? [] : [{ jobId, other }]));
      for (const { jobId, other } of others) {
        const record = toStoredText(layout, parseStoredText(layout, other));
        await access.update("jobs").set({ record }).where("id", "=", jobId).execute();
      }
      return { lastId: rows.at(-1)?.id ?? null, reencoded: others.length };
    },
  };
}

function readOther(prefix: string) {
  return sql<string | null>`case when ${isOther(prefix)} then record end`;
}

function isOther(prefix: string) {
  return sql<boolean | number>`substr(record, 1, ${sql.lit(prefix.length)}) <> ${prefix}`;
}
