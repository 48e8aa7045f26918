import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { failure } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Environment } from "../../runtime/environment.ts";
import type { Hold } from "../held-deliveries.ts";
import { holdCopy } from "../life/copy-sqlite.ts";
import type { CopyProgress } from "../life/copy-store.ts";
import { copyStoreTo } from "../life/copy-store.ts";
import { putInPlace } from "../life/put-in-place.ts";
import { newestSchema } from "../migrations/index.ts";
import { isPostgresAddress } from "../postgres/address.ts";
import type { BackupHead } from "./backup-head.ts";
import type { Progress } from "./backup-store.ts";
import type { BackupSource } from "./chunks.ts";
import type { BackupKeys } from "./encryption.ts";
import { type OpenedBackup, openBackup, restoreScratch } from "./open-backup.ts";

/** The caller closes the result. Throws backup_unusable for a backup that this program cannot restore. */
export async function openRestorable(source: BackupSource, keys: BackupKeys): Promise<OpenedBackup> {
  const opened = await openBackup(source, keys);
  const { program, schema } = opened.head;
  if (schema <= newestSchema) return opened;
  opened.close();
  throw failure(
    "backup_unusable",
    `${source.name} has schema ${schema}, made by dispatch-cli ${program}; this program knows ${newestSchema}. Use a newer dispatch-cli.`,
  );
}

export async function checkBackup(backup: OpenedBackup, progress: Progress): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-check-"));
  try {
    await unpack(backup, join(folder, "store.db"), progress);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RestoreRequest {
  data: string;
  env?: Environment | undefined;
  now: Timestamp;
  progress: Progress;
}

interface RestoredStore {
  hold: Hold;
  kept: string | null;
}

/** Checks all content first. An existing file keeps the name `kept`; a database must be empty. Holds the deliveries. */
export async function restoreStore(
  backup: OpenedBackup,
  { data, env, now, progress }: RestoreRequest,
): Promise<RestoredStore> {
  const hold = { since: now, reason: toReason(backup.head) };
  if (isPostgresAddress(data)) {
    await restoreInto(backup, { data, env, progress });
    return { hold, kept: null };
  }
  // A symbolic link stays and leads to the new store.
  const place = existsSync(data) ? realpathSync(data) : data;
  const draft = `${place}.${randomUUID().slice(0, 8)}.new`;
  const kept = existsSync(place) ? `${place}.before-restore-${now.replace(/[-:]/g, "").slice(0, 19)}` : null;
  try {
    makeFolder(dirname(place));
    await unpack(backup, draft, progress);
    holdCopy(draft, hold);
    putInPlace(draft, place, kept ?? `${place}.before-restore`);
    return { hold, kept };
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(draft + end, { force: true });
  }
}

const toReason = ({ created_on }: BackupHead) => `it was restored from a backup of ${created_on}`;

async function restoreInto(
  backup: OpenedBackup,
  { data, env, progress }: Omit<RestoreRequest, "now">,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-restore-"));
  try {
    const content = join(folder, "store.db");
    await unpack(backup, content, progress);
    const report = ({ table, done, total }: CopyProgress) =>
      progress(`restoring ${table} ${done} of ${total}`);
    await copyStoreTo(content, data, report, { env, reason: toReason(backup.head) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpack(backup: OpenedBackup, to: string, progress: Progress): Promise<void> {
  const { problem } = await restoreScratch(backup, to, progress);
  if (problem !== null) throw failure("backup_unusable", `${backup.name} cannot be restored. ${problem}`);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw toWriteFailure(folder, error);
  }
}
