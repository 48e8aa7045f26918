import type { Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { Role } from "../../models/user.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { readPage } from "./pages.ts";

/** Without its secret. */
export type Token = ReturnType<typeof toToken>;

export type NewToken = Omit<Token, "id" | "revoked_on" | "tenant_id"> & { secret_hash: string };

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
    /** The old secret stops working. */
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

export function toToken({ secret_hash: _, ...row }: Selectable<Database["tokens"]>) {
  return { ...row, is_personal: Boolean(row.is_personal), roles: JSON.parse(row.roles) as Role[] };
}
