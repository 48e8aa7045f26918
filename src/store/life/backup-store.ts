import { randomUUID } from "node:crypto";
import { existsSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { DispatchError, failure } from "../../errors/errors.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { programVersion } from "../../runtime/program-version.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { type BackupHead, packBackup } from "./backup-file.ts";
import { checkCopy } from "./check-copy.ts";
import { copySqlite } from "./copy-sqlite.ts";
import { copyStoreTo } from "./copy-store-to.ts";
import { holdCopy } from "./hold-copy.ts";

/** Reports how far long work is. Throws to end it. */
export type Progress = (text: string) => void;

/** What was backed up: the backup's head, and the bytes of its file. */
export type BackupReport = BackupHead & { packed_bytes: number };

/**
 * Backs a store up into one file, while others may work in it. It reads the copy in full and checks it before the file
 * gets its name and replaces one of that name. The backup shows the store, all its tenants, at one moment. Throws store_not_found, store_unreadable, store_unavailable and
 * file_not_written.
 */
export async function backupStore(
  data: string,
  file: string,
  now: Timestamp,
  progress: Progress,
): Promise<BackupReport> {
  const begun = `${file}.${randomUUID().slice(0, 8)}`;
  const [copy, packed] = [`${begun}.copy`, `${begun}.new`];
  try {
    await copyInto(copy, data, progress);
    // Who unpacks the file by other means than `restore` must reach nobody either.
    holdCopy(copy, { since: now, reason: "this store is a backup" });
    const { problem, ...contents } = await checkCopy(copy, (table) => progress(`checking ${table}`));
    if (problem !== null) {
      const detail = `${toShownStore(data)} cannot be backed up: ${problem}`;
      const see = { command: "doctor --full" } as const;
      throw new DispatchError([{ code: "store_unreadable", detail, field: null, see }]);
    }
    const facts = { ...contents, created_on: now, program: programVersion };
    const head = await packBackup(copy, packed, facts, (done) => progress(`packing ${toPercent(done)}`));
    renameSync(packed, file);
    return { ...head, packed_bytes: statSync(file).size };
  } finally {
    for (const left of [copy, `${copy}.copying`, packed])
      for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(left + end, { force: true });
  }
}

/** Whether there is a file of that name. Throws a usage error when a backup may not replace it. */
export function isBackupThere(file: string, data: string): boolean {
  if (!existsSync(file)) return false;
  if (!statSync(file).isFile()) throw failure("usage", `${file} is no file that a backup could replace.`);
  requireOther(file, data);
  return true;
}

/** Throws a usage error when two names are one file. */
export function requireOther(file: string, data: string): void {
  if (isPostgresAddress(data) || !existsSync(data)) return;
  if (realpathSync(file) === realpathSync(data))
    throw failure("usage", `${file} and ${data} are the same file; a backup is another than its store.`);
}

async function copyInto(copy: string, data: string, progress: Progress): Promise<void> {
  if (isPostgresAddress(data)) {
    await copyStoreTo(data, copy, ({ table, done, total }) =>
      progress(`copying ${table} ${done} of ${total}`),
    );
    return;
  }
  await copySqlite(data, copy, (done) => progress(`copying ${toPercent(done)}`));
}

export const toPercent = (part: number) => `${Math.floor(part * 100)} %`;
