import type { Kysely } from "kysely";
import { defineStatement, type Parameter, runStatement } from "../access/compiled.ts";
import { copyMark } from "../metadata-keys.ts";
import type { Database } from "../schema/database.ts";

export type MetadataQueries = ReturnType<typeof metadataQueries>;

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

    /** No program may use an unfinished copy. */
    isHalfCopy: async (): Promise<boolean> => (await get(copyMark)) !== undefined,
  };
}

const findValue = defineStatement((db: Kysely<Database>, { key }: { key: Parameter<string> }) =>
  db.selectFrom("meta").where("key", "=", key).select("value"),
);
