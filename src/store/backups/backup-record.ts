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
import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";
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

/** Writes the list and its metrics. Throws the error of the file system. */
export function writeRecord(folder: string, record: BackupRecord): void {
  replaceFile(folder, recordName, `${JSON.stringify(record, null, 2)}\n`, 0o600);
  replaceFile(folder, "backups.prom", toMetricsText(record), 0o644);
  syncFolder(folder);
}

/** Atomic, even in a power cut. */
function replaceFile(folder: string, name: string, text: string, mode: number): void {
  const draft = join(folder, `${name}.new`);
  rmSync(draft, { force: true });
  const opened = openSync(draft, "wx", mode);
  try {
    writeSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(draft, join(folder, name));
}

/** For the textfile collector of node_exporter, which runs as another user. */
function toMetricsText({ backups, failure }: BackupRecord): string {
  const newest = backups.at(-1);
  const gauge = (name: string, help: string, values: readonly string[]) =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...values.map((value) => `${name}${value}`)].join(
      "\n",
    );
  const toSeconds = (on: string) => Math.floor(toEpochMs(on) / 1000);
  const times = newest && [
    `{of="created"} ${toSeconds(newest.created_on)}`,
    `{of="verified"} ${toSeconds(newest.verified_on)}`,
  ];
  return `${[
    gauge("dispatch_backup_time_seconds", "When the newest backup was created and verified.", times ?? []),
    gauge("dispatch_backup_bytes", "Size of the newest backup.", newest ? [` ${newest.packed_bytes}`] : []),
    gauge("dispatch_backup_failures", "Failures since the newest backup.", [` ${failure?.in_a_row ?? 0}`]),
  ].join("\n")}\n`;
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
