import type { Kysely } from "kysely";
import { defineStatement, type Parameter, runStatement } from "../access/compiled.ts";
import type { Database } from "../schema/database.ts";

/** What `metadataQueries` gives. */
export type MetadataQueries = ReturnType<typeof metadataQueries>;

/** The key that marks an unfinished copy; its value names the store that is being copied. */
export const copyMark = "copy_of";

/** The key that holds the deliveries of all tenants; held-deliveries.ts knows its value. */
export const heldMark = "deliveries_held";

/** The key that only sandbox stores have: how far the clock is ahead, in milliseconds. */
export const sandboxOffset = "sandbox_offset_ms";

/** Facts about the whole store, by key. */
export function metadataQueries(db: Kysely<Database>) {
  const get = async (key: string): Promise<string | undefined> => {
    const [row] = await runStatement(db, findValue, { key });
    return row?.value;
  };
  return {
    get,

    async set(key: string, value: string): Promise<void> {
      await db
        .insertInto("meta")
        .values({ key, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
        .execute();
    },

    async remove(key: string): Promise<void> {
      await db.deleteFrom("meta").where("key", "=", key).execute();
    },

    /** Whether the store is the unfinished copy of another, which nobody may work in. */
    isHalfCopy: async (): Promise<boolean> => (await get(copyMark)) !== undefined,
  };
}

const findValue = defineStatement((db: Kysely<Database>, { key }: { key: Parameter<string> }) =>
  db.selectFrom("meta").where("key", "=", key).select("value"),
);
