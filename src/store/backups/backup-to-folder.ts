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
import { toWriteFailure } from "../../errors/file-error.ts";
import { systemClock } from "../../runtime/clock.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { openConnection, sqliteCodeOf } from "../sqlite/driver.ts";
import {
  type BackupRecord,
  isThere,
  type KeptBackup,
  leftoverName,
  readRecord,
  toBackupName,
  writeRecord,
} from "./backup-record.ts";
import { type BackupRequest, backupStore } from "./backup-store.ts";
import { chunkBytes } from "./chunks.ts";

export interface BackupFolder {
  folder: string;
  keep: number;
  everySeconds: number | null;
}

export interface FolderReport {
  made: KeptBackup;
  removed: string[];
}

/** Deletes the oldest listed backups beyond `keep`. null while another program has the folder locked. */
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
      // Written before the deletion: a program killed in between leaves one backup too many, never too few.
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

function toRecord(
  record: BackupRecord | null,
  data: string,
  { folder, keep, everySeconds }: BackupFolder,
): BackupRecord {
  const store = toStoreName(data);
  if (record !== null && record.store !== store && record.backups.length > 0)
    throw failure(
      "usage",
      `${folder} has the backups of ${record.store}. Use a separate folder for ${store}, because each run deletes the oldest backups in the folder.`,
    );
  return {
    store,
    every_seconds: everySeconds,
    keep,
    backups: record?.backups ?? [],
    failure: record?.failure ?? null,
  };
}

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

export async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) hash.update(chunk);
  return hash.digest("hex");
}

/** Truncated backups do not count, and stay for the operator to inspect. */
function removeOldest(folder: string, backups: readonly KeptBackup[], keep: number): string[] {
  const good = backups.filter((backup) => isThere(folder, backup));
  const old = good.slice(0, -keep).map(({ file }) => file);
  for (const file of old) rmSync(join(folder, file), { force: true });
  return old;
}

/** Safe because this program has the folder locked. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder))
    if (leftoverName.test(name)) rmSync(join(folder, name), { force: true });
}

function noteFailure(folder: string, record: BackupRecord, error: unknown): void {
  if (!(error instanceof DispatchError)) return;
  const { code, message } = error;
  const inARow = (record.failure?.in_a_row ?? 0) + 1;
  const noted = { on: systemClock.now(), code, detail: message, in_a_row: inARow };
  try {
    writeRecord(folder, { ...record, failure: noted });
  } catch {
    // A full disk cannot record the failure. The age of the newest backup shows it.
  }
}

/** The file stays after unlocking: a deleted file cannot be locked. */
const lockName = ".backup.lock";

/** Returns the function that unlocks the folder; null if it is locked. Throws file_not_written or a usage error. */
export function lockFolder(folder: string): (() => void) | null {
  // The program does not create the folder: on an unmounted disk it would be the wrong folder.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw failure(
      "usage",
      `${folder} is not a folder. Create it first, for its owner only: \`mkdir -m 700\`.`,
    );
  const file = join(folder, lockName);
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw toWriteFailure(file, error);
  }
  // SQLite uses the system's file lock, which ends with the process.
  const connection = openConnection(file, { timeout: 0 });
  try {
    // This connection writes nothing, so a full disk does not matter. SQLite refuses `off`.
    connection.pragma("journal_mode = memory");
    connection.exec("begin exclusive");
    return () => void connection.close();
  } catch (error) {
    connection.close();
    if (sqliteCodeOf(error).startsWith("SQLITE_BUSY")) return null;
    throw toWriteFailure(file, error);
  }
}
