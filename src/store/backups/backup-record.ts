import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Timestamp } from "../../runtime/clock.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";

const recordName = "backups.json";

const keptModel = z.object({
  // The program deletes this file later, so only the program's own names are valid.
  file: z.string().regex(/^dispatch-\d{8}T\d{6}Z(?:-\d+)?\.gz(?:\.age)?$/),
  created_on: z.string(),
  verified_on: z.string(),
  bytes: z.number(),
  packed_bytes: z.number(),
  /** Hex SHA-256 of the file as stored, so checking it needs no key. */
  sha256: z.string(),
  rows: z.record(z.string(), z.number()),
  schema: z.number(),
  encrypted: z.boolean(),
});

const recordModel = z.object({
  store: z.string(),
  /** null if another program, such as cron, schedules the backups. */
  every_seconds: z.number().nullable(),
  keep: z.number(),
  /** In the order of creation, even if the clock went back. */
  backups: z.array(keptModel),
  failure: z
    .object({ on: z.string(), code: z.string(), detail: z.string(), in_a_row: z.number() })
    .nullable(),
});

export type KeptBackup = z.infer<typeof keptModel>;

export type BackupRecord = z.infer<typeof recordModel>;

export function readRecord(folder: string): BackupRecord | null {
  try {
    const read = recordModel.safeParse(JSON.parse(readFileSync(join(folder, recordName), "utf8")));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Writes the list atomically, even in a power cut. Throws the error of the file system. */
export function writeRecord(folder: string, record: BackupRecord): void {
  const draft = join(folder, `${recordName}.new`);
  rmSync(draft, { force: true });
  const opened = openSync(draft, "wx", 0o600);
  try {
    writeSync(opened, `${JSON.stringify(record, null, 2)}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(draft, join(folder, recordName));
  syncFolder(folder);
}

export function isThere(folder: string, { file, packed_bytes }: KeptBackup): boolean {
  const found = statSync(join(folder, file), { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === packed_bytes;
}

export function toBackupName(now: Timestamp, nth: number, isEncrypted: boolean): string {
  const time = `${now.slice(0, 19).replace(/[-:]/g, "")}Z`;
  return `dispatch-${time}${nth > 1 ? `-${nth}` : ""}.gz${isEncrypted ? ".age" : ""}`;
}

export const leftoverName =
  /^dispatch-\d{8}T\d{6}Z(?:-\d+)?\.gz(?:\.age)?\.[0-9a-f]{8}\.(?:new|copy)(?:\.copying)?(?:-wal|-shm|-journal)?$/;
