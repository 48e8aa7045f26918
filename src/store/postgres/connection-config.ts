import { readFileSync } from "node:fs";
import pg from "pg";
import { failure } from "../../errors/errors.ts";
import type { PostgresAddress, TlsOptions } from "./address.ts";
import { toSessionSettings, toStartupOptions } from "./session-settings.ts";
import { valueTypes } from "./values.ts";

/**
 * What the driver is told of the connections of a pool. Poolers in transaction mode refuse settings at the beginning of a
 * session: then `isPlain` leaves them out.
 */
export function toPoolConfig(address: PostgresAddress, isPlain: boolean): pg.PoolConfig {
  const { connectTimeoutMs, poolMax, statementTimeoutMs } = address;
  return {
    ...toServer(address),
    Client: isPlain ? PlainClient : pg.Client,
    application_name: address.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    max: poolMax,
    // Within this time the pool leaves a primary that became a standby, and a name that moved.
    maxLifetimeSeconds: 1800,
    ...(!isPlain && { options: toStartupOptions(toSessionSettings(address)) }),
    pipeline: true,
    // The server's own time-out comes first; this one is for a server that vanished.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 5000 }),
    ssl: toTls(address.tls),
    types: valueTypes,
  };
}

/** Begins a session without settings, also without those of PGOPTIONS, which the driver would send by itself. */
class PlainClient extends pg.Client {
  // The driver's types leave it out.
  declare readonly connectionParameters: { options?: string };

  constructor(config: pg.ClientConfig) {
    super(config);
    delete this.connectionParameters.options;
  }
}

/** Leaves out what is not given, so that the driver takes it from libpq's environment variables. */
function toServer({ host, port, database, user, password }: PostgresAddress): pg.PoolConfig {
  const given = Object.entries({ host, port, database, user, password });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function toTls({
  mode,
  rootCertificateFile,
  certificateFile,
  keyFile,
}: TlsOptions): NonNullable<pg.PoolConfig["ssl"]> {
  if (mode === "disable") return false;
  return {
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" && { checkServerIdentity: () => undefined }),
    ...(rootCertificateFile !== null && { ca: readPem(rootCertificateFile) }),
    ...(certificateFile !== null && { cert: readPem(certificateFile) }),
    ...(keyFile !== null && { key: readPem(keyFile) }),
  };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("store_unreadable", `The certificate ${file} cannot be read: ${reason}.`, null, error);
  }
}
