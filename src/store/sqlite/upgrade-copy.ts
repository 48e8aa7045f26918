import { randomUUID } from "node:crypto";
import { linkSync, rmSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { writeNewPrivately } from "../../runtime/private-file.ts";
import type { Connection } from "./connection.ts";
import { sqliteCodeOf } from "./driver.ts";

/**
 * Upgrades a file and keeps the previous one as `<file>.schema-<n>.bak`, numbered if that exists. The copy is the exact
 * state before the upgrade, and exists only after success. `upgrade` does not run if another program has upgraded the
 * file. Throws store_unreadable if the copy fails.
 */
export function upgradeWithCopy(
  connection: Connection,
  file: string,
  before: number,
  upgrade: () => void,
): void {
  const stem = `${file}.schema-${before}`;
  for (;;) {
    const seen = dataVersion(connection);
    const draft = `${stem}.bak.${randomUUID().slice(0, 8)}.new`;
    let copy: string | null = null;
    const run = connection.transaction((): boolean => {
      if (Number(connection.pragma("user_version", { simple: true })) !== before) return true;
      if (dataVersion(connection) !== seen) return false;
      upgrade();
      copy = giveName(draft, stem);
      return true;
    });
    try {
      copyTo(connection, draft);
      // Immediate: if several programs open an old file, one upgrades it, and the others wait and find it done.
      if (run.immediate()) return;
    } catch (error) {
      // On a full disk the commit fails, and with it the upgrade.
      if (copy !== null) rmSync(copy, { force: true });
      throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

/** Changes after each commit of another connection. */
function dataVersion(connection: Connection): unknown {
  return connection.pragma("data_version", { simple: true });
}

function copyTo(connection: Connection, draft: string): void {
  try {
    writeNewPrivately(draft, "");
    connection.prepare("vacuum into ?").run(draft);
  } catch (error) {
    if (sqliteCodeOf(error) !== "") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw failure("store_unreadable", `The copy ${draft} cannot be made: ${reason}.`, null, error);
  }
}

function giveName(draft: string, stem: string): string {
  for (let number = 1; ; number++) {
    const copy = number === 1 ? `${stem}.bak` : `${stem}-${number}.bak`;
    try {
      linkSync(draft, copy);
      return copy;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
