import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DispatchError, failure } from "../../errors/errors.ts";
import { type Timestamp, toTimestamp } from "../../runtime/clock.ts";
import { type BackupRecord, isThere, leftoverName, readRecord } from "../backups/backup-record.ts";
import { hashOf } from "../backups/backup-to-folder.ts";
import { openBackupFile } from "../backups/chunks.ts";
import { noKeys } from "../backups/encryption.ts";
import { openBackup } from "../backups/open-backup.ts";
import type { FileMode, ReadDepth } from "./file-facts.ts";

/** What a folder of backups says about itself. */
export interface BackupFacts {
  folder: string;
  freeBytes: number;
  /** The list that `backup --to` keeps; null in a folder whose backups something else names. */
  record: BackupRecord | null;
  /** From the oldest to the newest. */
  backups: FoundBackup[];
  /** Left by programs that were killed. */
  leftovers: string[];
  files: FileMode[];
}

/** A backup that is there, or should be. */
export interface FoundBackup {
  path: string;
  createdOn: Timestamp;
  /** Of the store and of the backup; null where nothing tells. */
  bytes: number | null;
  /** What is wrong with it, as a sentence's end; null when nothing was found. */
  problem: string | null;
  /** Whether its content was looked at: its checksum is that of what was verified, or of its own head. */
  isRead: boolean;
}

/**
 * Looks at a folder of backups and changes nothing. Reads the newest in full: none of them when `depth` is quick, all when
 * it is full. Throws a usage error when there is no such folder.
 */
export async function readBackupFacts(folder: string, depth: ReadDepth): Promise<BackupFacts> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw failure("usage", `${folder} is no folder.`);
  const record = readRecord(folder);
  const found = record === null ? await findBackups(folder) : findListed(folder, record);
  const first = depth === "full" ? 0 : depth === "quick" ? found.length : found.length - 1;
  for (const backup of found.slice(Math.max(0, first))) await backup.read();
  const { bavail, bsize } = statfsSync(folder);
  const backups = found.map(({ facts }) => facts);
  const files = backups.flatMap(({ path }) => {
    const status = statSync(path, { throwIfNoEntry: false });
    return status ? [{ path, mode: status.mode & 0o7777 }] : [];
  });
  const leftovers = readdirSync(folder).filter((name) => leftoverName.test(name));
  return { folder, freeBytes: bavail * bsize, record, backups, leftovers, files };
}

interface Candidate {
  facts: FoundBackup;
  /** Reads it in full and notes what is wrong. */
  read(): Promise<void>;
}

function findListed(folder: string, { backups }: BackupRecord): Candidate[] {
  return backups.map((backup) => {
    const path = join(folder, backup.file);
    const status = statSync(path, { throwIfNoEntry: false });
    const changed = `has ${status?.size} bytes of ${backup.packed_bytes}`;
    const problem = status === undefined ? "is not there any more" : isThere(folder, backup) ? null : changed;
    const facts: FoundBackup = {
      path,
      createdOn: backup.created_on,
      bytes: backup.bytes,
      problem,
      isRead: false,
    };
    const read = async () => {
      if (facts.problem !== null) return;
      facts.isRead = true;
      if ((await hashOf(path)) !== backup.sha256) facts.problem = "has other content than was verified";
    };
    return { facts, read };
  });
}

/** Backups that nobody lists: files that begin as one, in the order of their moments. */
async function findBackups(folder: string): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const facts = await readHead(path);
    if (facts !== null) found.push({ facts, read: () => readContent(facts) });
  }
  return found.sort((a, b) => (a.facts.createdOn < b.facts.createdOn ? -1 : 1));
}

/** null for a file that is no backup. Of an encrypted one the system tells the time. */
async function readHead(path: string): Promise<FoundBackup | null> {
  try {
    const { close, head } = await openBackup(openBackupFile(path), noKeys);
    close();
    return { path, createdOn: head.created_on, bytes: head.bytes, problem: null, isRead: false };
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    if (error.code !== "backup_locked") return null;
    return {
      path,
      createdOn: toTimestamp(statSync(path).mtimeMs),
      bytes: null,
      problem: null,
      isRead: false,
    };
  }
}

async function readContent(facts: FoundBackup): Promise<void> {
  // Encrypted.
  if (facts.bytes === null) return;
  const backup = await openBackup(openBackupFile(facts.path), noKeys);
  try {
    await backup.unpack(null, () => undefined);
    facts.isRead = true;
  } catch (error) {
    if (!(error instanceof DispatchError)) throw error;
    facts.problem = `cannot be used: ${error.message}`;
  } finally {
    backup.close();
  }
}
