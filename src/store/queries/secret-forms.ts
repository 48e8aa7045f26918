import { type Kysely, sql } from "kysely";
import type { Database } from "../schema/database.ts";
import { sealedPrefix, secretColumns, secretKeyMark } from "../secrets/vault.ts";
import { metadataQueries } from "./metadata.ts";

/** What `secretFormQueries` gives. */
export type SecretFormQueries = ReturnType<typeof secretFormQueries>;

/** In which form a store keeps secrets, and how many. */
export interface SecretForms {
  /** The key for new secrets; null: they are kept as plain text. */
  keyId: string | null;
  /** Secrets in plain text, the replaced ones that still sign included. */
  plain: number;
  /** Encrypted secrets, by the id of their key. */
  sealed: Readonly<Record<string, number>>;
}

/** The form of the secrets of all tenants' webhooks. */
export function secretFormQueries(db: Kysely<Database>) {
  const metadata = metadataQueries(db);
  return {
    async read(): Promise<SecretForms> {
      const counts: Record<string, number> = {};
      for (const column of secretColumns) {
        for (const { form, total } of await countForms(db, column)) {
          counts[form] = (counts[form] ?? 0) + Number(total);
        }
      }
      const { "": plain = 0, ...sealed } = counts;
      return { keyId: (await metadata.get(secretKeyMark)) ?? null, plain, sealed };
    },

    /** The key for new secrets; null: they are kept as plain text. */
    keyId: async (): Promise<string | null> => (await metadata.get(secretKeyMark)) ?? null,

    /** Has secrets that are written from now on encrypted with a key; null: kept as plain text. */
    async mark(keyId: string | null): Promise<void> {
      if (keyId === null) await metadata.remove(secretKeyMark);
      else await metadata.set(secretKeyMark, keyId);
    },
  };
}

/** "" stands for plain text. */
async function countForms(db: Kysely<Database>, column: (typeof secretColumns)[number]) {
  const stored = sql.ref(column);
  const start = sealedPrefix.length + 1;
  const form = sql<string>`case when ${stored} like ${`${sealedPrefix}%`} then substr(${stored}, ${sql.lit(start)}, 16)
    else '' end`;
  return db
    .selectFrom("hooks")
    .where(column, "is not", null)
    .select([form.as("form"), sql<number>`count(*)`.as("total")])
    .groupBy(sql`1`)
    .execute();
}
