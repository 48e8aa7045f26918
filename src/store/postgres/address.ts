import { failure } from "../../errors/errors.ts";
import type { Environment } from "../../runtime/environment.ts";
import { type AddressValues, collectValues } from "./address-values.ts";

export interface PostgresAddress {
  host: string | undefined;
  port: number | undefined;
  database: string | undefined;
  user: string | undefined;
  password: string | undefined;
  /** null for the first schema of the user's search path. */
  schema: string | null;
  options: string;
  applicationName: string;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  poolMax: number;
  poolMode: PoolMode | "auto";
  /** Whether a server without effective row-level security is not ready. */
  requiresWall: boolean;
  tls: TlsOptions;
  shown: string;
}

/** A pooler in transaction mode gives each transaction another session. */
export type PoolMode = "session" | "transaction";

/** libpq's sslmode and files, without the modes that fall back to plain text (allow, prefer). */
export interface TlsOptions {
  mode: "disable" | "require" | "verify-ca" | "verify-full";
  /** A PEM file; null for Node.js's authorities. */
  rootCertificateFile: string | null;
  certificateFile: string | null;
  keyFile: string | null;
}

const scheme = /^postgres(?:ql)?:\/\//i;

export function isPostgresAddress(data: string): boolean {
  return scheme.test(data);
}

export function toShownStore(data: string): string {
  if (!isPostgresAddress(data)) return data;
  const url = parseUrl(data);
  return url ? toShown(url) : "postgres://…";
}

/** Shows `***` instead of the password. */
export function toMaskedStore(data: string): string {
  if (!isPostgresAddress(data)) return data;
  const url = parseUrl(data);
  if (!url) return "postgres://…";
  if (url.password === "" && !url.searchParams.has("password")) return data;
  if (url.password !== "") url.password = "***";
  if (url.searchParams.has("password")) url.searchParams.set("password", "***");
  return url.href;
}

/**
 * Parses `postgres://user:password@host:port/database?parameters` with libpq's parameters and our `schema`, `pool_max`,
 * `pool_mode`, `row_level_security`, and `statement_timeout` (ms). The driver itself reads PGHOST, PGPASSWORD … of the
 * process. Throws a usage error that never quotes the password.
 */
export function parsePostgresAddress(data: string, env: Environment = {}): PostgresAddress {
  const url = parseUrl(data);
  if (namesSeveral(data)) throw severalHosts("The address in --data");
  if (!url) {
    throw failure(
      "usage",
      "--data is not an address like postgres://user:password@host:5432/database; in names and passwords, characters such as @ / # % are written as %40 %2F %23 %25.",
    );
  }
  const given = collectValues(url, env);
  const { values, nameOf } = given;
  if (values.host.includes(",")) throw severalHosts(nameOf("host"));
  // The driver reads PGHOST itself.
  if (values.host === "" && env.PGHOST?.includes(",")) throw severalHosts("PGHOST");
  return {
    host: values.host || undefined,
    port: parseNumber(nameOf("port"), values.port || "0", 0, 65_535) || undefined,
    database: values.dbname || undefined,
    user: values.user || undefined,
    password: values.password || undefined,
    schema: parseSchema(nameOf("schema"), values.schema),
    options: values.options,
    applicationName: values.application_name,
    connectTimeoutMs: parseNumber(nameOf("connect_timeout"), values.connect_timeout, 1, 600) * 1000,
    statementTimeoutMs: parseNumber(nameOf("statement_timeout"), values.statement_timeout, 0, 86_400_000),
    poolMax: parseNumber(nameOf("pool_max"), values.pool_max, 1, 1000),
    poolMode: parsePoolMode(nameOf("pool_mode"), values.pool_mode),
    requiresWall: parseWall(nameOf("row_level_security"), values.row_level_security),
    tls: toTlsOptions(given),
    shown: toShown(url),
  };
}

function namesSeveral(data: string): boolean {
  const [, authority = ""] = /^[a-z]+:\/\/([^/?#]*)/i.exec(data) ?? [];
  return authority.slice(authority.lastIndexOf("@") + 1).includes(",");
}

/** libpq tries several hosts in turn; the driver does not. */
const severalHosts = (name: string) =>
  failure(
    "usage",
    `${name} names several hosts. Use one that leads to the primary: a virtual address, a DNS name, or HAProxy or PgBouncer in front of the servers.`,
  );

function toTlsOptions({ values, nameOf }: AddressValues): TlsOptions {
  const { sslcert, sslkey, sslmode, sslrootcert } = values;
  return {
    mode: parseMode(nameOf("sslmode"), sslmode, sslrootcert),
    rootCertificateFile: sslrootcert === "system" ? null : sslrootcert || null,
    certificateFile: sslcert || null,
    keyFile: sslkey || null,
  };
}

export function withSchema(data: string, schema: string): string {
  const url = parseUrl(data);
  url?.searchParams.set("schema", schema);
  return url?.href ?? data;
}

function parseUrl(data: string): URL | null {
  const text = data.replace(scheme, "postgres://");
  // An unescaped #, @, or / in a password would make a part of it the host or fragment, which is printed.
  if (text.includes("#") || !URL.canParse(text)) return null;
  const url = new URL(text);
  try {
    decodeURIComponent(`${url.username}${url.password}${url.pathname}${url.hostname}`);
  } catch {
    return null;
  }
  return /[/@]/.test(url.pathname.slice(1)) || url.search.includes("@") ? null : url;
}

function toShown(url: URL): string {
  const shown = new URL(url.href);
  shown.password = "";
  shown.searchParams.delete("password");
  return shown.href;
}

function parseNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw failure("usage", `${name} must be a whole number from ${min} to ${max}.`);
}

function parseWall(name: string, text: string): boolean {
  if (text === "required" || text === "optional") return text === "required";
  throw failure("usage", `${name} must be required or optional.`);
}

function parsePoolMode(name: string, text: string): PostgresAddress["poolMode"] {
  if (text === "auto" || text === "session" || text === "transaction") return text;
  throw failure("usage", `${name} must be auto, session or transaction.`);
}

function parseSchema(name: string, text: string): string | null {
  if (text === "") return null;
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text;
  throw failure("usage", `${name} must be lower-case letters, digits and underscores.`);
}

/** As in libpq. Refuses `allow` and `prefer`, because an attacker could force plain text. */
function parseMode(name: string, mode: string, rootCertificate: string): TlsOptions["mode"] {
  switch (mode) {
    case "":
      return rootCertificate === "system" ? "verify-full" : "disable";
    case "disable":
      return mode;
    case "require":
      return rootCertificate === "" ? "require" : "verify-ca";
    case "verify-ca":
    case "verify-full":
      return mode;
  }
  throw failure(
    "usage",
    `${name} must be disable, require, verify-ca or verify-full; allow and prefer are not supported, because they fall back to plain text.`,
  );
}
