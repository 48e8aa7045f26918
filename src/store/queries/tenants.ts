import type { Kysely, Selectable } from "kysely";
import type { Database } from "../schema/database.ts";

export type Tenant = ReturnType<typeof toTenant>;

export function tenantQueries(db: Kysely<Database>, tenantId: number) {
  return {
    async get(): Promise<Tenant> {
      const row = await db
        .selectFrom("tenants")
        .where("id", "=", tenantId)
        .selectAll()
        .executeTakeFirstOrThrow();
      return toTenant(row);
    },
  };
}

export function toTenant(row: Selectable<Database["tenants"]>) {
  return { ...row, is_active: Boolean(row.is_active) };
}
