import { type Kysely, sql } from "kysely";
import type { PostgresAddress } from "../postgres/address.ts";
import { findWallFaults, type WallFaults } from "../postgres/wall.ts";
import type { Database } from "../schema/database.ts";

export interface PostgresFacts extends WallFaults {
  version: string;
  versionNumber: number;
  connections: number;
  connectionsMax: number;
  requiresWall: boolean;
  poolMax: number;
  isStandby: boolean;
  readOnly: ReadOnlySetting | null;
  way: ConnectionWay;
  bytes: number;
  latencyMs: number;
}

export interface ConnectionWay {
  clientAddress: string | null;
  host: string | undefined;
  isEncrypted: boolean;
  serverAddress: string | null;
}

export interface ReadOnlySetting {
  /** PostgreSQL's word: `database`, `user`, `configuration file`, or `client`. */
  source: string;
  database: string;
  user: string;
}

export async function readPostgresFacts(
  db: Kysely<Database>,
  { host, poolMax, requiresWall }: Pick<PostgresAddress, "host" | "poolMax" | "requiresWall">,
): Promise<PostgresFacts> {
  const begun = performance.now();
  const { rows } = await sql<Answer>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as "versionNumber",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "connectionsMax",
      pg_is_in_recovery() as "isStandby",
      current_setting('default_transaction_read_only')::bool as "isReadOnly",
      (select source from pg_settings where name = 'default_transaction_read_only') as source,
      current_database() as database, current_user as user,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      host(inet_server_addr()) as "serverAddress", host(inet_client_addr()) as "clientAddress",
      pg_database_size(current_database()) as bytes`.execute(db);
  const latencyMs = performance.now() - begun;
  const [answer] = rows;
  if (!answer) throw new Error("The server gave no answer about itself.");
  const wall = await findWallFaults(db);
  const { clientAddress, database, isEncrypted, isReadOnly, serverAddress, source, user, ...row } = answer;
  return {
    ...row,
    ...wall,
    bytes: Number(row.bytes),
    readOnly: isReadOnly ? { source, database, user } : null,
    way: { clientAddress, host, isEncrypted, serverAddress },
    latencyMs,
    poolMax,
    requiresWall,
  };
}

type Derived = keyof WallFaults | "latencyMs" | "poolMax" | "readOnly" | "requiresWall" | "way";
type Answer = Omit<PostgresFacts, Derived> &
  ReadOnlySetting &
  Omit<ConnectionWay, "host"> & { isReadOnly: boolean };
