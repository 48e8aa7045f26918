import { toShellWord } from "../../runtime/shell-word.ts";
import type { ConnectionWay, PostgresFacts, ReadOnlySetting } from "../../store/health/postgres-facts.ts";
import { toSize } from "../../store/life/size.ts";
import { toTenantPolicy } from "../../store/migrations/postgres-parts.ts";
import { bad, type Check, ok, warn } from "./finding.ts";

/** What is looked at in the PostgreSQL server of a store. */
export const postgresChecks: readonly Check<PostgresFacts>[] = [
  {
    name: "answer",
    judge: ({ bytes, latencyMs }) =>
      ok(`within ${Math.ceil(latencyMs)} ms; the database has ${toSize(bytes)}`),
  },
  {
    name: "version",
    judge: ({ version, versionNumber }) =>
      versionNumber >= 150_000
        ? ok(`PostgreSQL ${version}`)
        : warn(`PostgreSQL ${version} was never tried`, "Move the database to PostgreSQL 15 or later."),
  },
  {
    name: "writes",
    judge: ({ isStandby, readOnly }) => {
      if (isStandby)
        return bad("the server is a standby and takes no changes", "Name the primary in --data.");
      if (readOnly === null) return ok("the server takes changes");
      const detail = `transactions are read-only: default_transaction_read_only is on (${readOnly.source})`;
      return bad(detail, toWriteFix(readOnly));
    },
  },
  {
    name: "encryption",
    judge: ({ way }) => {
      const plainHost = toPlainHost(way);
      if (plainHost === null) return ok("no password or record crosses a network in plain text");
      return warn(
        `passwords and records go to ${plainHost} in plain text`,
        "Add sslmode=verify-full to the address in --data (docs/operations/postgresql.md).",
      );
    },
  },
  {
    name: "role",
    judge: ({ passesWall, requiresWall }) => {
      if (!passesWall) return ok("the user is held by row-level security");
      const detail =
        "the user is a superuser or may bypass row-level security, which then does not stand between the tenants";
      const fix = "psql -c 'alter role <user> nosuperuser nobypassrls'";
      return requiresWall ? bad(`${detail}: a server does not become ready`, fix) : warn(detail, fix);
    },
  },
  {
    name: "row-level security",
    judge: ({ openTables, withoutPolicy }) => {
      const tables = [...openTables, ...withoutPolicy];
      if (tables.length === 0) return ok("in force on every table of the tenants");
      const enabled = openTables.map(
        (table) => `alter table ${table} enable row level security, force row level security;`,
      );
      const statements = [...enabled, ...withoutPolicy.map(toTenantPolicy)];
      return bad(`not in force on ${tables.join(", ")}`, `psql -c ${toShellWord(statements.join(" "))}`);
    },
  },
  {
    name: "connections",
    judge: ({ connections, connectionsMax, poolMax }) => {
      const used = `${connections} of ${connectionsMax} in use, this program takes up to ${poolMax} a process`;
      if (connections + poolMax <= connectionsMax) return ok(used);
      return warn(used, "Raise max_connections of the server, or lower pool_max in the address.");
    },
  },
];

/** The setting is taken back where it was made; that of a database goes before one of the whole server. */
function toWriteFix({ database, source, user }: ReadOnlySetting): string {
  // A pooler in transaction mode has the options set in each transaction.
  if (source === "client" || source === "session")
    return "Take default_transaction_read_only out of the options of --data or PGOPTIONS.";
  const owner = {
    user: `role ${toName(user)}`,
    "database user": `role ${toName(user)} in database ${toName(database)}`,
  }[source];
  const reset = `alter ${owner ?? `database ${toName(database)}`} set default_transaction_read_only = off`;
  return `psql -c 'set default_transaction_read_only = off' -c ${toShellWord(reset)}`;
}

const toName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The other machine to which a connection is plain text; null when it is encrypted or leaves no machine. */
function toPlainHost({ clientAddress, host, isEncrypted, serverAddress }: ConnectionWay): string | null {
  if (isEncrypted || serverAddress === null || serverAddress === clientAddress) return null;
  // A port of this machine may lead into a container, whose address is another.
  return isHere(serverAddress) || (host !== undefined && isHere(host)) ? null : (host ?? serverAddress);
}

/** This machine's own name or address, or the folder of a socket. */
function isHere(host: string): boolean {
  return host.startsWith("/") || /^(?:localhost|127\.[\d.]+|::1)$/.test(host);
}
