import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { failure } from "../../errors/errors.ts";
import type { Access } from "./access.ts";
import { applicationId } from "./connect.ts";
import type { FileIdentity } from "./file-identity.ts";

/**
 * Reads the first row of every table, not from an index, which could hold a part of it. It takes less than a
 * millisecond. Throws store_unreadable if a table is damaged.
 */
export function readEveryTable(access: Access): Promise<void> {
  return access.read(async (statements) => {
    const { rows } = statements.run({ sql: tables, parameters: [] });
    for (const { name } of rows as { name: string }[])
      statements.run({ sql: `select * from "${name}" not indexed limit 1`, parameters: [] });
  });
}

const tables = "select name from sqlite_schema where type = 'table' order by name";

/**
 * Writes the mark of a store again, as a commit that waits for the disk: a page in the log. No row changes, so no
 * process drops a cache. Throws store_unavailable.
 */
export async function writeMark(access: Access, identity: FileIdentity, file: string): Promise<void> {
  const query = { sql: `pragma application_id = ${applicationId}`, parameters: [] };
  await access.run(query, { waitMs: waitMsMax });
  identity.requireNow();
  // There may be space for one page, but not for the changes of a request.
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

/** A health check waits for a shorter time than a change. */
const waitMsMax = 1000;

const freeBytesMin = 1024 * 1024;
