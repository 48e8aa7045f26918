import { readFileSync } from "node:fs";
import pg from "pg";
import { failure } from "../../errors/errors.ts";
import type { PostgresAddress, TlsOptions } from "./address.ts";
import { toSessionSettings, toStartupOptions } from "./session-settings.ts";

/** Poolers in transaction mode refuse settings at the start of a session; `isPlain` omits them. */
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
    // Within this time the pool follows a failover or a changed DNS name.
    maxLifetimeSeconds: 1800,
    ...(!isPlain && { options: toStartupOptions(toSessionSettings(address)) }),
    pipeline: true,
    // For a server that no longer responds. Otherwise the server's own timeout is first.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 5000 }),
    ssl: toTls(address.tls),
    types: valueTypes,
  };
}

/** Starts a session without settings. The driver would send PGOPTIONS. */
class PlainClient extends pg.Client {
  declare readonly connectionParameters: { options?: string };

  constructor(config: pg.ClientConfig) {
    super(config);
    delete this.connectionParameters.options;
  }
}

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

const valueTypes = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as "text"),
};

/** int8 (ids stay below 2^53), numeric (sums of int8), timestamp. */
const parsers: Record<number, (text: string) => unknown> = {
  20: Number,
  1700: Number,
  1114: toFixedForm,
};

/** `2026-03-02 10:00:00.25` → `2026-03-02T10:00:00.250000`. */
function toFixedForm(text: string): string {
  const fraction = text.slice(20).padEnd(6, "0");
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}`;
}
