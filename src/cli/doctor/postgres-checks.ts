import { toShellWord } from "../../runtime/shell-word.ts";
import type { ConnectionWay, PostgresFacts, ReadOnlySetting } from "../../store/health/postgres-facts.ts";
import { toSize } from "../../store/life/size.ts";
import { toTenantPolicy } from "../../store/migrations/postgres-parts.ts";
import { bad, type Check, ok, warn } from "./finding.ts";

export const postgresChecks: readonly Check<PostgresFacts>[] = [
  {
    name: "answer",
    judge: ({ bytes, latencyMs }) =>
      ok(`after ${Math.ceil(latencyMs)} ms; the database has ${toSize(bytes)}`),
  },
  {
    name: "version",
    judge: ({ version, versionNumber }) =>
      versionNumber >= 150_000
        ? ok(`PostgreSQL ${version}`)
        : warn(`PostgreSQL ${version} is not tested`, "Move the database to PostgreSQL 15 or later."),
  },
  {
    name: "writes",
    judge: ({ isStandby, readOnly }) => {
      if (isStandby)
        return bad("the server is a read-only standby", "Use the address of the primary in --data.");
      if (readOnly === null) return ok("the server accepts writes");
      const detail = `transactions are read-only: default_transaction_read_only is on (${readOnly.source})`;
      return bad(detail, toWriteFix(readOnly));
    },
  },
  {
    name: "encryption",
    judge: ({ way }) => {
      const plainHost = toPlainHost(way);
      if (plainHost === null) return ok("no password or record crosses the network in plain text");
      return warn(
        `passwords and records go to ${plainHost} in plain text`,
        "Add sslmode=verify-full to the address in --data (docs/operations/postgresql.md).",
      );
    },
  },
  {
    name: "role",
    judge: ({ passesWall, requiresWall }) => {
      if (!passesWall) return ok("row-level security applies to the user");
      const detail =
        "the user is a superuser or may bypass row-level security, so nothing in the database separates the tenants";
      const fix = "psql -c 'alter role <user> nosuperuser nobypassrls'";
      return requiresWall ? bad(`${detail}: a server refuses to start serving`, fix) : warn(detail, fix);
    },
  },
  {
    name: "row-level security",
    judge: ({ openTables, withoutPolicy }) => {
      const tables = [...openTables, ...withoutPolicy];
      if (tables.length === 0) return ok("enabled on every table of the tenants");
      const enabled = openTables.map(
        (table) => `alter table ${table} enable row level security, force row level security;`,
      );
      const statements = [...enabled, ...withoutPolicy.map(toTenantPolicy)];
      return bad(`not enabled on ${tables.join(", ")}`, `psql -c ${toShellWord(statements.join(" "))}`);
    },
  },
  {
    name: "connections",
    judge: ({ connections, connectionsMax, poolMax }) => {
      const used = `${connections} of ${connectionsMax} in use; each process of this program uses up to ${poolMax}`;
      if (connections + poolMax <= connectionsMax) return ok(used);
      return warn(used, "Raise max_connections of the server, or lower pool_max in the address.");
    },
  },
];

/** Resets the setting at its source. A database's setting overrides the server's. */
function toWriteFix({ database, source, user }: ReadOnlySetting): string {
  // A pooler in transaction mode applies the options in each transaction.
  if (source === "client" || source === "session")
    return "Remove default_transaction_read_only from the options of --data or PGOPTIONS.";
  const owner = {
    user: `role ${toName(user)}`,
    "database user": `role ${toName(user)} in database ${toName(database)}`,
  }[source];
  const reset = `alter ${owner ?? `database ${toName(database)}`} set default_transaction_read_only = off`;
  return `psql -c 'set default_transaction_read_only = off' -c ${toShellWord(reset)}`;
}

const toName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The peer of an unencrypted connection; null if encrypted or local. */
function toPlainHost({ clientAddress, host, isEncrypted, serverAddress }: ConnectionWay): string | null {
  if (isEncrypted || serverAddress === null || serverAddress === clientAddress) return null;
  // A port of this machine may lead into a container with another address.
  return isHere(serverAddress) || (host !== undefined && isHere(host)) ? null : (host ?? serverAddress);
}

function isHere(host: string): boolean {
  return host.startsWith("/") || /^(?:localhost|127\.[\d.]+|::1)$/.test(host);
}
