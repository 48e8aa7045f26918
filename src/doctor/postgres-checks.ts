import { toShellWord } from "../runtime/shell-word.ts";
import type { PostgresFacts } from "../store/health/postgres-facts.ts";
import { toSize } from "../store/life/size.ts";
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
    judge: ({ isStandby }) =>
      isStandby
        ? bad("the server is a standby and takes no changes", "Name the primary in --data.")
        : ok("the server takes changes"),
  },
  {
    name: "role",
    judge: ({ passesWall }) =>
      passesWall
        ? warn(
            "the user is a superuser or may bypass row-level security, which then does not stand between the tenants",
            "psql -c 'alter role <user> nosuperuser nobypassrls'",
          )
        : ok("the user is held by row-level security"),
  },
  {
    name: "row-level security",
    judge: ({ openTables }) =>
      openTables.length === 0
        ? ok("in force on every table of the tenants")
        : bad(
            `not in force on ${openTables.join(", ")}`,
            `psql -c ${toShellWord(openTables.map((table) => `alter table ${table} enable row level security, force row level security;`).join(" "))}`,
          ),
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
