import type { Kysely } from "kysely";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantRows } from "../api.ts";
import type { Database } from "../schema/database.ts";
import { type Token, toToken } from "./tokens.ts";

/**
 * What tokens have to do with each other, and when they were used: across tenants, because a person's own token makes
 * tokens in each of the person's tenants (OP-124).
 */
export function tokenLineageQueries({ all, locksRows }: TenantRows) {
  return {
    /** A token, which nobody changes until the transaction ends. */
    async hold(id: number): Promise<Token | undefined> {
      const token = all.selectFrom("tokens").where("id", "=", id).selectAll();
      const row = await (locksRows ? token.forShare() : token).executeTakeFirst();
      return row && toToken(row);
    },

    /** Whether a token was made with another, or with one that was made with it, and so on. */
    async isDescendant(id: number, ancestorId: number): Promise<boolean> {
      const row = await withDescendants(all, ancestorId)
        .selectFrom("descendants")
        .where("id", "=", id)
        .select("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Revokes what was made with a token and with those that were, the live ones; gives them. The caller has revoked the
     * token itself, or it was: whoever makes another with one of them waits for this transaction, or has been waited for.
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
        // The update may have waited for a transaction that made one more: only a round without any is the last.
        if (rows.length === 0) return revoked.sort((a, b) => a.id - b.id);
      }
    },

    /** When tokens last called, by id; without those that never did. It is known as of a minute ago. */
    async lastUses(tokens: readonly Pick<Token, "id" | "uid">[]): Promise<Map<number, Timestamp>> {
      if (tokens.length === 0) return new Map();
      const uids = [...new Set(tokens.map(({ uid }) => uid))];
      const rows = await all
        .selectFrom("usage")
        // A token is used only where its person works, and by the tenant they are found at once.
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

/** `union` leaves out what was found before, so that even a circle would end. */
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
