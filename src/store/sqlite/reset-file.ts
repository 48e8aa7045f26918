import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, lockWaitMsMax } from "./connect.ts";
import type { Connection } from "./connection.ts";
import { toStoreError } from "./errors.ts";

/** Replaces the content in one transaction. Table revisions increase, so that caches become invalid. */
export function resetSqliteFile(file: string, image: Uint8Array): void {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-reset-"));
  const { connection } = connect(file, { create: false });
  try {
    const copy = join(folder, "image.db");
    writeFileSync(copy, image, { mode: 0o600 });
    connection.pragma(`busy_timeout = ${lockWaitMsMax}`);
    // References are broken until all tables are replaced.
    connection.pragma("foreign_keys = OFF");
    connection.prepare("attach database ? as image").run(copy);
    connection.transaction(() => replaceRows(connection)).immediate();
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function replaceRows(connection: Connection): void {
  const read = (kind: string) =>
    connection
      .prepare<[string], { name: string; sql: string | null }>(
        "select name, sql from main.sqlite_schema where type = ?",
      )
      .all(kind);
  // The image already contains the derived rows.
  const triggers = read("trigger");
  for (const { name } of triggers) connection.exec(`drop trigger main."${name}"`);
  for (const { name } of read("table")) if (!kept.test(name)) replaceTable(connection, name);
  connection.exec(raiseRevisions);
  for (const { sql } of triggers) connection.exec(sql ?? "");
}

/** These tables keep their rows: SQLite's statistics, the workers, and the revisions, which must only increase. */
const kept = /^(?:sqlite_stat\d|delivery_workers|table_revisions)$/;

function replaceTable(connection: Connection, table: string): void {
  // Omits generated columns.
  const columns = connection
    .prepare<[string], string>("select group_concat('\"' || name || '\"', ', ') from pragma_table_info(?)")
    .pluck()
    .get(table);
  connection.exec(
    `delete from main."${table}"; insert into main."${table}" (${columns}) select ${columns} from image."${table}"`,
  );
}

const raiseRevisions = `update main.table_revisions as own set revision = revision + 1,
  row_count = coalesce((select row_count from image.table_revisions as other
    where other.tenant_id = own.tenant_id and other.table_name = own.table_name), 0)`;
