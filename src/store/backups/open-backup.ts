import { createHash } from "node:crypto";
import { createWriteStream, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { failure } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import { type CheckedCopy, checkCopy } from "../life/check-copy.ts";
import { toSize } from "../life/size.ts";
import { type BackupHead, headBytesMax, parseBackupHead } from "./backup-head.ts";
import { type BackupSource, type Chunks, codeOf, count, isOfSystem, peek } from "./chunks.ts";
import { type BackupKeys, decrypt, readLock } from "./encryption.ts";

export type Report = (done: number) => void;

export interface OpenedBackup {
  head: BackupHead;
  isEncrypted: boolean;
  name: string;
  unpack(to: string | null, report: Report): Promise<void>;
  close(): void;
}

export async function openBackup(source: BackupSource, keys: BackupKeys): Promise<OpenedBackup> {
  const { name } = source;
  try {
    const outer = await peek(source.chunks, headBytesMax);
    const lock = readLock(outer.start);
    if (lock === null) requireNoKeys(outer.start, keys, name);
    const plain = lock === null ? outer.chunks : await decrypt(outer.chunks, lock, keys, name);
    const { start, chunks } = await peek(plain, headBytesMax);
    const head = parseBackupHead(start, name);
    return {
      head,
      isEncrypted: lock !== null,
      name,
      unpack: (to, report) => unpack(chunks, { head, name }, to, report),
      close: source.close,
    };
  } catch (error) {
    source.close();
    throw isOfSystem(error) ? toReadFailure(name, error) : error;
  }
}

/** An operator who passes a key expects a backup that only owners of the key can make or read. */
function requireNoKeys(start: Buffer, { identities, passphrase }: BackupKeys, name: string): void {
  if (start.length === 0 || (identities.length === 0 && passphrase === null)) return;
  throw failure(
    "backup_unusable",
    `${name} is not encrypted. Omit the key if you expect that. Otherwise, the backup may have been replaced.`,
  );
}

async function unpack(
  chunks: Chunks,
  { head: { bytes, sha256 }, name }: Pick<OpenedBackup, "head" | "name">,
  to: string | null,
  report: Report,
): Promise<void> {
  const damaged = (reason: string, cause?: unknown) =>
    failure("backup_unusable", `${name} is damaged: ${reason}.`, null, cause);
  const hash = createHash("sha256");
  let found = 0;
  try {
    await pipeline(
      chunks,
      createGunzip(),
      (unpacked: Chunks) =>
        count(unpacked, (passed, chunk) => {
          // Stops a forged archive before it fills the disk.
          if (passed > bytes) throw damaged("it holds more than its header says");
          hash.update(chunk);
          found = passed;
          report(passed / bytes);
        }),
      to === null
        ? new PassThrough().resume()
        : createWriteStream(to, { flags: "wx", mode: 0o600, flush: true }),
    );
  } catch (error) {
    const code = codeOf(error);
    if (code === "Z_BUF_ERROR") throw damaged("its end is missing", error);
    if (code.startsWith("Z_")) throw damaged("it cannot be unpacked", error);
    if (!isOfSystem(error)) throw error;
    throw isOfReading(error) || to === null ? toReadFailure(name, error) : toWriteFailure(to, error);
  }
  if (found < bytes) throw damaged(`${bytes - found} bytes of its content are missing`);
  if (hash.digest("hex") !== sha256) throw damaged("its content does not match its checksum");
}

const isOfReading = (error: unknown) =>
  error instanceof Error && "syscall" in error && error.syscall === "read";

function toReadFailure(name: string, error: unknown) {
  return failure("backup_unusable", `${name} cannot be read to its end: ${codeOf(error)}.`, null, error);
}

/** Restores into a new file and reads everything. `problem` is SQLite's finding. Throws backup_unusable. */
export async function restoreScratch(
  opened: OpenedBackup,
  file: string,
  progress: (text: string) => void,
): Promise<CheckedCopy> {
  const { head, name } = opened;
  requireRoom(dirname(file), head.bytes);
  await opened.unpack(file, (done) => progress(`unpacking ${Math.floor(done * 100)} %`));
  const checked = await checkCopy(file, (table) => progress(`checking ${table}`));
  const isAsSaid =
    checked.schema === head.schema && JSON.stringify(checked.rows) === JSON.stringify(head.rows);
  if (checked.problem !== null || isAsSaid) return checked;
  throw failure("backup_unusable", `${name} is damaged. It holds other rows than its header says.`);
}

/** Throws file_not_written if the disk has too little room. With unknown free space, the write fails instead. */
export function requireRoom(folder: string, bytes: number): void {
  const freeBytes = readFreeBytes(folder);
  if (freeBytes === null || freeBytes >= bytes) return;
  throw failure(
    "file_not_written",
    `The disk of ${folder} has too little room: the unpacked store needs ${toSize(bytes)}, ${toSize(freeBytes)} are free.`,
  );
}

function readFreeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
