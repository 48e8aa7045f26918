import { type Kysely, sql } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import {
  keyIdOf,
  sealedPrefix,
  secretColumns,
  secretKeyMark,
  secretKeyMissing,
  type Vault,
} from "../secrets/vault.ts";
import { metadataQueries } from "./metadata.ts";

/** The metadata entry with the time when the store got its key. */
const secretKeySince = "secret_key_since";

export type SecretFormQueries = ReturnType<typeof secretFormQueries>;

export interface SecretForms {
  /** The key for new secrets; null for plain text. */
  keyId: string | null;
  plain: number;
  sealed: Readonly<Record<string, number>>;
}

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

    keyId: async (): Promise<string | null> => (await metadata.get(secretKeyMark)) ?? null,

    /** null stores new secrets as plain text. */
    async mark(keyId: string | null, now: Timestamp): Promise<void> {
      if (keyId === ((await metadata.get(secretKeyMark)) ?? null)) return;
      await metadata.set(secretKeySince, now);
      if (keyId === null) await metadata.remove(secretKeyMark);
      else await metadata.set(secretKeyMark, keyId);
    },

    /** null for plain text, and for a key of an earlier version of the program. */
    keySince: async (): Promise<Timestamp | null> =>
      (await metadata.get(secretKeyMark)) === undefined
        ? null
        : ((await metadata.get(secretKeySince)) ?? null),
  };
}

/** "" means plain text. */
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

export function hookSecretQueries(access: TenantAccess, vault: Vault) {
  return {
    /** Converts all secrets to the store's current form. Returns the number changed. Throws secret_key_missing. */
    async reseal(): Promise<number> {
      const seal = await vault.sealer();
      const hooks = access
        .selectUnseen("hooks")
        .select(["id", ...secretColumns])
        .orderBy("id");
      let changed = 0;
      for (const { id, ...stored } of await hooks.execute()) {
        const written = { ...stored };
        for (const column of secretColumns) {
          const before = stored[column];
          if (before === null) continue;
          const place = { tenantId: access.tenantId, hookId: id, column };
          const text = vault.open(place, before);
          if (text === null) throw secretKeyMissing(keyIdOf(before));
          const after = seal === null ? text : seal(place, text);
          if (keyIdOf(after) === keyIdOf(before)) continue;
          written[column] = after;
          changed += 1;
        }
        if (secretColumns.every((column) => written[column] === stored[column])) continue;
        await access.update("hooks").set(written).where("id", "=", id).execute();
      }
      return changed;
    },
  };
}
