import type { Kysely, Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { Role } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { TenantRows } from "../api.ts";
import type { Database } from "../schema/database.ts";
import { linkMark } from "./link-hash.ts";
import { readPage } from "./pages.ts";

export type Token = ReturnType<typeof toToken>;

export type NewToken = Omit<Token, "id" | "is_link" | "revoked_on" | "tenant_id"> & { secret_hash: string };

export function tokenQueries(access: TenantAccess) {
  return {
    async find(id: number): Promise<Token | undefined> {
      const row = await access.select("tokens").where("id", "=", id).selectAll().executeTakeFirst();
      return row && toToken(row);
    },
    async page(paging: Paging): Promise<Page<Token>> {
      const page = await readPage(access, access.select("tokens"), paging, (rows) =>
        rows.selectAll().orderBy("id"),
      );
      return { ...page, rows: page.rows.map(toToken) };
    },
    async insert({ roles, ...token }: NewToken): Promise<Token> {
      const row = await access
        .insert("tokens", { ...token, roles: JSON.stringify(roles) })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toToken(row as Selectable<Database["tokens"]>);
    },
    async replaceSecret(
      { id, created_by_token_id, is_personal }: Pick<Token, "created_by_token_id" | "id" | "is_personal">,
      hash: string,
    ): Promise<void> {
      const changed = { created_by_token_id, is_personal, secret_hash: hash };
      await access.update("tokens").set(changed).where("id", "=", id).execute();
    },
    async revoke(id: number, at: Timestamp): Promise<void> {
      await access.update("tokens").set({ revoked_on: at }).where("id", "=", id).execute();
    },
  };
}

export function toToken({ secret_hash, ...row }: Selectable<Database["tokens"]>) {
  return {
    ...row,
    is_link: secret_hash.startsWith(linkMark),
    is_personal: Boolean(row.is_personal),
    roles: JSON.parse(row.roles) as Role[],
  };
}

/** Across tenants: a personal token creates tokens in each of the person's tenants. */
export function tokenLineageQueries({ all, locksRows }: TenantRows) {
  return {
    /** Locks the token until the transaction ends. */
    async hold(id: number): Promise<Token | undefined> {
      const token = all.selectFrom("tokens").where("id", "=", id).selectAll();
      const row = await (locksRows ? token.forShare() : token).executeTakeFirst();
      return row && toToken(row);
    },

    /** undefined if another request has used or revoked the link. Ignores row scopes. */
    async exchangeLink(id: number, hash: string): Promise<Token | undefined> {
      const row = await all
        .updateTable("tokens")
        .set({ secret_hash: hash })
        .where("id", "=", id)
        .where("secret_hash", "like", `${linkMark}%`)
        .where("revoked_on", "is", null)
        .returningAll()
        .executeTakeFirst();
      return row && toToken(row);
    },

    async isDescendant(id: number, ancestorId: number): Promise<boolean> {
      const row = await withDescendants(all, ancestorId)
        .selectFrom("descendants")
        .where("id", "=", id)
        .select("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Revoke the token itself first: then requests that create more with it wait or are already visible. */
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
        // The update may have waited for a transaction that created another token, so repeat until a round finds none.
        if (rows.length === 0) return revoked.sort((a, b) => a.id - b.id);
      }
    },

    /** By token id, only used tokens. The times may be a minute old. */
    async lastUses(tokens: readonly Pick<Token, "id" | "uid">[]): Promise<Map<number, Timestamp>> {
      if (tokens.length === 0) return new Map();
      const uids = [...new Set(tokens.map(({ uid }) => uid))];
      const rows = await all
        .selectFrom("usage")
        // A token is used only in its person's tenants, which an index finds.
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

/** `union` removes known rows, so that even a cycle ends. */
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
