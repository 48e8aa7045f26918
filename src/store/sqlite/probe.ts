import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { failure } from "../../errors/errors.ts";
import type { Access } from "./access.ts";
import { applicationId } from "./connect.ts";
import type { FileIdentity } from "./file-identity.ts";

/** Reads a row of every table without an index, within 1 ms. Throws store_unreadable for a damaged table. */
export function readEveryTable(access: Access): Promise<void> {
  return access.read(async (statements) => {
    const { rows } = statements.run({ sql: tables, parameters: [] });
    for (const { name } of rows as { name: string }[])
      statements.run({ sql: `select * from "${name}" not indexed limit 1`, parameters: [] });
  });
}

const tables = "select name from sqlite_schema where type = 'table' order by name";

/** Commits and waits for the disk. No row changes, so caches stay valid. Throws store_unavailable. */
export async function writeMark(access: Access, identity: FileIdentity, file: string): Promise<void> {
  const query = { sql: `pragma application_id = ${applicationId}`, parameters: [] };
  await access.run(query, { waitMs: waitMsMax });
  identity.requireNow();
  // A page may fit on the disk when the changes of a request do not.
  const { bavail, blocks, bsize } = statfsSync(dirname(file));
  if (blocks > 0 && bavail * bsize < freeBytesMin) {
    const cause = new Error(`${bavail * bsize} bytes are left.`);
    throw failure(
      "store_unavailable",
      "The disk of the store is full: less than 1 MiB is left.",
      null,
      cause,
    );
  }
}

/** A health check waits less than a change. */
const waitMsMax = 1000;

const freeBytesMin = 1024 * 1024;
