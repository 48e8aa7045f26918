import { type Kysely, sql } from "kysely";
import type { Database } from "../schema/database.ts";

/** What a PostgreSQL server says about the health of a store in it. */
export interface PostgresFacts {
  version: string;
  /** 150004 for 15.4. */
  versionNumber: number;
  connections: number;
  connectionsMax: number;
  /** The size of the connection pool of one process. */
  poolMax: number;
  isStandby: boolean;
  /** The role is a superuser, or may bypass row-level security. */
  passesWall: boolean;
  /** Tables of tenants without row-level security in force. */
  openTables: string[];
  bytes: number;
  latencyMs: number;
}

/** Asks the server of a store that is open. */
export async function readPostgresFacts(db: Kysely<Database>, poolMax: number): Promise<PostgresFacts> {
  const begun = performance.now();
  const { rows } = await sql<Omit<PostgresFacts, "latencyMs" | "openTables" | "poolMax">>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as "versionNumber",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "connectionsMax",
      pg_is_in_recovery() as "isStandby",
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "passesWall",
      pg_database_size(current_database()) as bytes`.execute(db);
  const latencyMs = performance.now() - begun;
  const [row] = rows;
  if (!row) throw new Error("The server gave no answer about itself.");
  const open = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and c.relname not in ('delivery_workers', 'haulers', 'meta', 'tenants')
      and not (c.relrowsecurity and c.relforcerowsecurity) order by 1`.execute(db);
  return {
    ...row,
    bytes: Number(row.bytes),
    latencyMs,
    openTables: open.rows.map(({ name }) => name),
    poolMax,
  };
}
