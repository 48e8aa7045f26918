import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { DispatchError, failure } from "../../errors/errors.ts";
import { systemClock } from "../../runtime/clock.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import {
  type BackupRecord,
  type KeptBackup,
  isThere,
  leftoverName,
  readRecord,
  toBackupName,
  writeRecord,
} from "./backup-record.ts";
import { type BackupRequest, backupStore } from "./backup-store.ts";
import { chunkBytes } from "./chunks.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";

/** Where backups are kept, and how many. */
export interface BackupFolder {
  folder: string;
  keep: number;
  /** null where something else says when. */
  everySeconds: number | null;
}

/** What was made, and what made room for it. */
export interface FolderReport {
  made: KeptBackup;
  removed: string[];
}

/**
 * Makes a backup in a folder under a name of its own and removes the oldest that are beyond `keep`: backups of the folder's
 * list, never another file, and only when as many newer ones are there. Gives null when another program makes one there
 * now. Throws as `backupStore` does; the backups that were there then stay, and the list tells of the failure.
 */
export async function backupToFolder(
  request: BackupRequest,
  place: BackupFolder,
): Promise<FolderReport | null> {
  const { folder } = place;
  const release = lockFolder(folder);
  if (release === null) return null;
  try {
    const record = toRecord(readRecord(folder), request.data, place);
    removeLeftovers(folder);
    try {
      const made = await makeBackup(request, folder);
      const backups = [...record.backups, made];
      // Before anything is removed: who is killed in between keeps one too many.
      writeRecord(folder, { ...record, backups, failure: null });
      const removed = removeOldest(folder, backups, place.keep);
      const kept = backups.filter(({ file }) => existsSync(join(folder, file)));
      writeRecord(folder, { ...record, backups: kept, failure: null });
      return { made, removed };
    } catch (error) {
      noteFailure(folder, record, error);
      throw error;
    }
  } finally {
    release();
  }
}

/** The list as it goes on. Throws a usage error where the folder has the backups of another store. */
function toRecord(
  record: BackupRecord | null,
  data: string,
  { folder, keep, everySeconds }: BackupFolder,
): BackupRecord {
  const store = toStoreName(data);
  if (record !== null && record.store !== store && record.backups.length > 0)
    throw failure(
      "usage",
      `${folder} has the backups of ${record.store}. Name a folder for those of ${store} alone, or none of them would be sure to be kept.`,
    );
  return {
    store,
    every_seconds: everySeconds,
    keep,
    backups: record?.backups ?? [],
    failure: record?.failure ?? null,
  };
}

/** Names a store alike, however it was reached. One that is not there is told of by who opens it. */
function toStoreName(data: string): string {
  if (isPostgresAddress(data)) return toShownStore(data);
  return existsSync(data) ? realpathSync(data) : resolve(data);
}

async function makeBackup(request: BackupRequest, folder: string): Promise<KeptBackup> {
  const isEncrypted = request.encryption !== null;
  let nth = 1;
  while (existsSync(join(folder, toBackupName(request.now, nth, isEncrypted)))) nth += 1;
  const file = toBackupName(request.now, nth, isEncrypted);
  const { bytes, created_on, packed_bytes, rows, schema } = await backupStore(request, join(folder, file));
  const sha256 = await hashOf(join(folder, file));
  const verified_on = systemClock.now();
  return { file, created_on, verified_on, bytes, packed_bytes, sha256, rows, schema, encrypted: isEncrypted };
}

/** SHA-256 of a file, hex. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) hash.update(chunk);
  return hash.digest("hex");
}

/** What was cut off since does not count as kept, and stays: somebody should look at it. */
function removeOldest(folder: string, backups: readonly KeptBackup[], keep: number): string[] {
  const good = backups.filter((backup) => isThere(folder, backup));
  const old = good.slice(0, -keep).map(({ file }) => file);
  for (const file of old) rmSync(join(folder, file), { force: true });
  return old;
}

/** Nobody works on them: who makes a backup here has the folder locked. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder))
    if (leftoverName.test(name)) rmSync(join(folder, name), { force: true });
}

/** To be asked to end is no failure. */
function noteFailure(folder: string, record: BackupRecord, error: unknown): void {
  if (!(error instanceof DispatchError)) return;
  const { code, message } = error;
  const inARow = (record.failure?.in_a_row ?? 0) + 1;
  const noted = { on: systemClock.now(), code, detail: message, in_a_row: inARow };
  try {
    writeRecord(folder, { ...record, failure: noted });
  } catch {
    // A full disk takes no note of it either; the age of the newest backup tells.
  }
}

/** An empty file that is locked while a backup is made. It stays: what is deleted cannot be locked. */
const lockName = ".backup.lock";

/**
 * Locks a folder of backups until the function that it gives is called, or the program ends in whatever way; null when
 * another has it locked. Throws file_not_written, or a usage error for a folder that is not there.
 */
export function lockFolder(folder: string): (() => void) | null {
  // Not made: on a disk that is not mounted it would be a folder of another.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw failure("usage", `${folder} is no folder. Make it first, for its owner only: \`mkdir -m 700\`.`);
  const file = join(folder, lockName);
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw toWriteFailure(file, error);
  }
  // The system's lock of a file, as SQLite takes it: unlike a file with a process id it ends with the process.
  const connection = openConnection(file, { timeout: 0 });
  try {
    // Nothing is written, so a full disk hinders nobody. `off` would not be taken.
    connection.pragma("journal_mode = memory");
    connection.exec("begin exclusive");
    return () => void connection.close();
  } catch (error) {
    connection.close();
    if (sqliteCodeOf(error).startsWith("SQLITE_BUSY")) return null;
    throw toWriteFailure(file, error);
  }
}
