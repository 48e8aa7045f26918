import type { Kysely } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantRows } from "../api.ts";
import type { Database } from "../schema/database.ts";
import { type Token, toToken } from "./tokens.ts";

/** Across tenants, because a person's own token creates tokens in each of the person's tenants. */
export function tokenLineageQueries({ all, locksRows }: TenantRows) {
  return {
    /** Locks the token until the transaction ends. */
    async hold(id: number): Promise<Token | undefined> {
      const token = all.selectFrom("tokens").where("id", "=", id).selectAll();
      const row = await (locksRows ? token.forShare() : token).executeTakeFirst();
      return row && toToken(row);
    },

    /** Whether a token was created with another, directly or indirectly. */
    async isDescendant(id: number, ancestorId: number): Promise<boolean> {
      const row = await withDescendants(all, ancestorId)
        .selectFrom("descendants")
        .where("id", "=", id)
        .select("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Revokes the live tokens created with a token, directly or indirectly, and returns them. The token itself is
     * already revoked: a request that creates another one with it waits for this transaction, or this one has waited
     * for it.
     */
    async revokeDescendants(id: number, at: Timestamp): Promise<Token[]> {
      const revoked: Token[] = [];
      for (;;) {
        const rows = await withDescendants(all, id)
          .updateTable("tokens")
          .set({ revoked_on: at })
          .where("revoked_on", "is", null)
          .where("id", "<>", id)
          .where("id", "in", (eb) => eb.selectFrom("descendants").select("descendants.id"))
          .returningAll()
          .execute();
        revoked.push(...rows.map(toToken));
        // The update may have waited for a transaction that created one more, so only a round without any is the last.
        if (rows.length === 0) return revoked.sort((a, b) => a.id - b.id);
      }
    },

    /** By id, without tokens that were never used. The times may be a minute old. */
    async lastUses(tokens: readonly Pick<Token, "id" | "uid">[]): Promise<Map<number, Timestamp>> {
      if (tokens.length === 0) return new Map();
      const uids = [...new Set(tokens.map(({ uid }) => uid))];
      const rows = await all
        .selectFrom("usage")
        // A token is used only in the tenants of its person, which an index finds.
        .where("tenant_id", "in", (eb) =>
          eb.selectFrom("users").where("uid", "in", uids).select("users.tenant_id"),
        )
        .where(
          "token_id",
          "in",
          tokens.map(({ id }) => id),
        )
        .groupBy("token_id")
        .select((eb) => ["token_id", eb.fn.max("used_on").as("used_on")])
        .execute();
      return new Map(rows.map((row) => [row.token_id, row.used_on]));
    },
  };
}

/** `union` leaves out known rows, so that even a cycle ends. */
function withDescendants(db: Kysely<Database>, id: number) {
  return db.withRecursive("descendants", (queries) =>
    queries
      .selectFrom("tokens")
      .where("created_by_token_id", "=", id)
      .select("tokens.id")
      .union(
        queries
          .selectFrom("tokens")
          .innerJoin("descendants", "descendants.id", "tokens.created_by_token_id")
          .select("tokens.id"),
      ),
  );
}
