import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { failure } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Hold } from "../held-deliveries.ts";
import { newestSchema } from "../migrations/index.ts";
import { isPostgresAddress } from "../postgres/address.ts";
import { type BackupHead, readBackupHead, unpackBackup } from "./backup-file.ts";
import { type Progress, requireOther, toPercent } from "./backup-store.ts";
import { checkCopy } from "./check-copy.ts";
import type { CopyProgress } from "./copy-store.ts";
import { copyStoreTo } from "./copy-store-to.ts";
import { holdCopy } from "./hold-copy.ts";
import { putInPlace } from "./put-in-place.ts";

/** Reads the head of a backup. Throws backup_unusable for a backup that this program cannot restore at `data`. */
export function openBackup(file: string, data: string): BackupHead {
  const head = readBackupHead(file);
  requireOther(file, data);
  if (head.schema <= newestSchema) return head;
  throw failure(
    "backup_unusable",
    `${file} has schema ${head.schema}, made by dispatch-cli ${head.program}; this program knows ${newestSchema}. Use a newer dispatch-cli.`,
  );
}

/** What a restore has made. */
export interface RestoredStore {
  hold: Hold;
  /** The name of the store that was there before; null when there was none. */
  kept: string | null;
}

/**
 * Makes a store from a backup, whose content it checks in full before it touches anything. A file replaces an existing
 * store in one step, and the old one stays beside it under the name `kept`; a PostgreSQL database must be
 * empty. Its deliveries are held from the beginning: they may have been made since the backup, and a drill must reach
 * nobody. Throws backup_unusable, store_in_use, store_exists, file_not_written.
 */
export async function restoreStore(
  file: string,
  head: BackupHead,
  data: string,
  now: Timestamp,
  progress: Progress,
): Promise<RestoredStore> {
  const hold = { since: now, reason: toReason(head) };
  if (isPostgresAddress(data)) {
    await restoreInto(data, file, head, progress);
    return { hold, kept: null };
  }
  // A symbolic link is kept; it then leads to the new store.
  const place = existsSync(data) ? realpathSync(data) : data;
  const draft = `${place}.${randomUUID().slice(0, 8)}.new`;
  const kept = existsSync(place) ? `${place}.before-restore-${now.replace(/[-:]/g, "").slice(0, 19)}` : null;
  try {
    makeFolder(dirname(place));
    await unpack(file, draft, head, progress);
    holdCopy(draft, hold);
    putInPlace(draft, place, kept ?? `${place}.before-restore`);
    return { hold, kept };
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(draft + end, { force: true });
  }
}

const toReason = ({ created_on }: BackupHead) => `it was restored from a backup of ${created_on}`;

/** Restores into an empty database: makes the tables, and fills them from the file in the backup. */
async function restoreInto(data: string, file: string, head: BackupHead, progress: Progress): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-restore-"));
  try {
    const content = join(folder, "store.db");
    await unpack(file, content, head, progress);
    const report = ({ table, done, total }: CopyProgress) =>
      progress(`restoring ${table} ${done} of ${total}`);
    await copyStoreTo(content, data, report, toReason(head));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpack(file: string, to: string, head: BackupHead, progress: Progress): Promise<void> {
  await unpackBackup(file, to, head, (done) => progress(`unpacking ${toPercent(done)}`));
  const { problem, rows, schema } = await checkCopy(to, (table) => progress(`checking ${table}`));
  const isAsSaid = schema === head.schema && JSON.stringify(rows) === JSON.stringify(head.rows);
  const reason = problem ?? (isAsSaid ? null : "It holds other rows than its head says.");
  if (reason !== null) throw failure("backup_unusable", `${file} is damaged. ${reason}`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw toWriteFailure(folder, error);
  }
}
