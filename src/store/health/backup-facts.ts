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

export interface BackupFacts {
  folder: string;
  freeBytes: number;
  /** The list of `backup --to`; null in a folder of another program. */
  record: BackupRecord | null;
  backups: FoundBackup[];
  leftovers: string[];
  files: FileMode[];
}

export interface FoundBackup {
  path: string;
  createdOn: Timestamp;
  bytes: number | null;
  /** The end of a sentence; null for a good backup. */
  problem: string | null;
  /** Whether its content was compared with a checksum. */
  isRead: boolean;
}

/** `depth`: quick reads no backup in full, full reads all, else the newest. Throws a usage error without a folder. */
export async function readBackupFacts(folder: string, depth: ReadDepth): Promise<BackupFacts> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw failure("usage", `${folder} is not a folder.`);
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
  read(): Promise<void>;
}

function findListed(folder: string, { backups }: BackupRecord): Candidate[] {
  return backups.map((backup) => {
    const path = join(folder, backup.file);
    const status = statSync(path, { throwIfNoEntry: false });
    const changed = `has ${status?.size} bytes of ${backup.packed_bytes}`;
    const problem = status === undefined ? "is missing" : isThere(folder, backup) ? null : changed;
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
      if ((await hashOf(path)) !== backup.sha256) facts.problem = "has changed since its verification";
    };
    return { facts, read };
  });
}

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
