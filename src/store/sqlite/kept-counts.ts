import { countWrongJobCounts, recountJobs } from "../migrations/job-counts.ts";
import { toSearchRefill, toWrongWordCount } from "../search/sqlite-index.ts";
import type { Connection } from "./connection.ts";

/** Counts wrong counts and index words. Reads every row of all tenants' tables. */
export function countWrong(connection: Connection): number {
  const ofJobs = Number(connection.prepare(countWrongJobCounts).pluck().get());
  const ofWords = Number(connection.prepare(toWrongWordCount()).pluck().get());
  const ofRows = tablesOf(connection).map((table) =>
    Number(
      connection
        .prepare(
          `select count(*) from table_revisions where table_name = '${table}' and row_count <> ${countRows(connection, table)}`,
        )
        .pluck()
        .get(),
    ),
  );
  return ofRows.reduce((sum, wrong) => sum + wrong, ofJobs + ofWords);
}

/** Servers drop their caches after this. */
export function recount(connection: Connection): void {
  connection.exec(recountJobs);
  connection.exec(toSearchRefill());
  for (const table of tablesOf(connection))
    connection.exec(
      `update table_revisions set revision = revision + 1, row_count = ${countRows(connection, table)}
        where table_name = '${table}'`,
    );
}

const tablesOf = (connection: Connection) =>
  connection.prepare("select distinct table_name from table_revisions").pluck().all() as string[];

function countRows(connection: Connection, table: string): string {
  const isOwned =
    connection.prepare("select 1 from pragma_table_info(?) where name = 'tenant_id'").get(table) !==
    undefined;
  const own = isOwned
    ? "table_revisions.tenant_id in (0, counted.tenant_id)"
    : "table_revisions.tenant_id = 0";
  return `(select count(*) from "${table}" as counted where ${own})`;
}
