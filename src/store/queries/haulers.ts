import type { Kysely, Selectable } from "kysely";
import type { Page, Paging } from "../../models/page.ts";
import { viewableRecordsMax } from "../../models/page-limits.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { TenantAccess } from "../access/access.ts";
import type { Database } from "../schema/database.ts";
import { readPage } from "./pages.ts";

export interface Hauler {
  id: string;
  name: string;
}

export interface NewHauler {
  uuid: string;
  created_on: Timestamp;
  name: string;
  password_hash: string;
  /** In lower case, so that an address has one account. */
  username: string;
}

/** Ids are in lower case. */
export type KnownHaulers = "all" | readonly string[];

/** Haulers belong to no tenant, so each query takes the haulers that its caller knows. */
export function haulerQueries(db: Kysely<Database>) {
  const select = (known: KnownHaulers) => {
    const all = db.selectFrom("haulers");
    if (known === "all") return all;
    // PostgreSQL does not accept an empty list.
    return known.length === 0 ? all.where((eb) => eb.lit(false)) : all.where("uuid", "in", [...known]);
  };
  return {
    async find(uuid: string, known: KnownHaulers): Promise<Hauler | undefined> {
      return select(known)
        .where("uuid", "=", uuid.toLowerCase())
        .select(["uuid as id", "name"])
        .executeTakeFirst();
    },
    async page(known: KnownHaulers, { index, limit }: Paging): Promise<Page<Hauler>> {
      const { total } = await db
        .selectFrom(select(known).select("uuid").limit(viewableRecordsMax).as("counted"))
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const offset = (index - 1) * limit;
      if (offset >= Number(total)) return { rows: [], total: Number(total) };
      const rows = await select(known)
        .select(["uuid as id", "name"])
        .orderBy("name")
        .orderBy("uuid")
        .limit(Math.min(limit, viewableRecordsMax - offset))
        .offset(offset)
        .execute();
      return { rows, total: Number(total) };
    },
    async isTaken(username: string): Promise<boolean> {
      const row = await db
        .selectFrom("haulers")
        .where("username", "=", username)
        .select("uuid")
        .executeTakeFirst();
      return row !== undefined;
    },
    async insert(hauler: NewHauler): Promise<Hauler> {
      await db.insertInto("haulers").values(hauler).execute();
      return { id: hauler.uuid, name: hauler.name };
    },
  };
}

export type HaulerConnection = ReturnType<typeof toConnection>;

export interface Approval {
  approved_by: number;
  approved_on: Timestamp;
}

export function haulerConnectionQueries(access: TenantAccess) {
  const ofHauler = (uuid: string) =>
    access.select("hauler_connections").where("hauler_uuid", "=", uuid.toLowerCase());
  return {
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
