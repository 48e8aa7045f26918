import type { Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { readPage } from "./pages.ts";

/** The hauler works for the tenant, or asks to. */
export type HaulerConnection = ReturnType<typeof toConnection>;

export interface Approval {
  approved_by: number;
  approved_on: Timestamp;
}

export function haulerConnectionQueries(access: TenantAccess) {
  const ofHauler = (uuid: string) =>
    access.select("hauler_connections").where("hauler_uuid", "=", uuid.toLowerCase());
  return {
    /** A hauler has at most one. */
    async find(haulerUuid: string): Promise<HaulerConnection | undefined> {
      const row = await ofHauler(haulerUuid).selectAll().executeTakeFirst();
      return row && toConnection(row);
    },
    async page(haulerUuid: string, paging: Paging): Promise<Page<HaulerConnection>> {
      const page = await readPage(access, ofHauler(haulerUuid), paging, (rows) =>
        rows.selectAll().orderBy("id"),
      );
      return { ...page, rows: page.rows.map(toConnection) };
    },
    async insert(connection: Omit<HaulerConnection, "id">): Promise<HaulerConnection> {
      const { id } = await access
        .insert("hauler_connections", connection)
        .returning("id")
        .executeTakeFirstOrThrow();
      return { ...connection, id };
    },
    async approve(id: number, approval: Approval): Promise<void> {
      const changed = { ...approval, denied_on: null };
      await access.update("hauler_connections").set(changed).where("id", "=", id).execute();
    },
  };
}

function toConnection({ tenant_id: _, ...row }: Selectable<Database["hauler_connections"]>) {
  return row;
}
