import { createHash, randomUUID } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { DispatchError, failure } from "../../errors/errors.ts";
import { toWriteFailure } from "../../errors/file-error.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import type { Environment } from "../../runtime/environment.ts";
import { programVersion } from "../../runtime/program-version.ts";
import { syncFolder } from "../../runtime/sync-folder.ts";
import { type CheckedCopy, checkCopy, countCopy } from "../life/check-copy.ts";
import { copySqlite, holdCopy, isWriteFault, toDiskFailure } from "../life/copy-sqlite.ts";
import type { CopyProgress } from "../life/copy-store.ts";
import { copyStoreTo } from "../life/copy-store.ts";
import { isPostgresAddress, toShownStore } from "../postgres/address.ts";
import { type BackupHead, toHeadMember } from "./backup-head.ts";
import { type Chunks, chunkBytes, count, isOfSystem, openBackupFile } from "./chunks.ts";
import { type BackupKeys, createEncrypter, type Encryption, noKeys } from "./encryption.ts";
import { openBackup, type Report, requireRoom, restoreScratch } from "./open-backup.ts";

export type Progress = (text: string) => void;

export type BackupReport = BackupHead & { packed_bytes: number };

export interface BackupRequest {
  data: string;
  env?: Environment | undefined;
  encryption: Encryption | null;
  now: Timestamp;
  progress: Progress;
}

/** Backs a store up into one file while programs use it. Checks the backup before the file gets its name. */
export async function backupStore(request: BackupRequest, file: string): Promise<BackupReport> {
  const begun = `${file}.${randomUUID().slice(0, 8)}`;
  const [copy, packed] = [`${begun}.copy`, `${begun}.new`];
  try {
    const contents = await copyInto(copy, request, countCopy);
    const head = await makeHead(copy, contents);
    const { change, keys } = await toChange(request.encryption);
    const output = createWriteStream(packed, { flags: "wx", mode: 0o600, flush: true });
    await pack(copy, head, change, output, request.progress).catch((error: unknown) => {
      throw isOfSystem(error) ? toWriteFailure(packed, error) : error;
    });
    removeStore(copy);
    await verify(packed, keys, copy, request);
    renameSync(packed, file);
    syncFolder(dirname(file));
    return { ...head, packed_bytes: statSync(file).size };
  } finally {
    rmSync(packed, { force: true });
    removeStore(copy);
  }
}

/** Checks the copy, then writes the stream. The folder for temporary files needs room for the store. */
export async function streamBackup(request: BackupRequest, output: Writable): Promise<BackupReport> {
  const folder = mkdtempSync(join(tmpdir(), "dispatch-backup-"));
  try {
    const copy = join(folder, "store.copy");
    const contents = await copyInto(copy, request, checkCopy);
    const head = await makeHead(copy, contents);
    const { change, keys } = await toChange(request.encryption);
    const branch = new PassThrough();
    const readBack = readBackupAgain(branch, keys, head);
    readBack.catch(() => undefined);
    let packedBytes = 0;
    const tee = async function* (chunks: Chunks) {
      for await (const chunk of change(chunks)) {
        packedBytes += chunk.length;
        if (!branch.write(chunk)) await Promise.race([drained(branch), readBack]);
        yield chunk;
      }
      branch.end();
      await readBack;
    };
    try {
      await pack(copy, head, tee, output, request.progress);
    } finally {
      branch.destroy();
      await readBack.catch(() => undefined);
    }
    return { ...head, packed_bytes: packedBytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws a usage error if a backup may not replace the existing file. */
export function isBackupThere(file: string, data: string): boolean {
  if (!existsSync(file)) return false;
  if (!statSync(file).isFile())
    throw failure("usage", `${file} is not a file, so a backup cannot replace it.`);
  requireOther(file, data);
  return true;
}

export function requireOther(file: string, data: string): void {
  if (isPostgresAddress(data) || !existsSync(data) || !existsSync(file)) return;
  if (realpathSync(file) === realpathSync(data))
    throw failure("usage", `${file} and ${data} are the same file. Choose another file for the backup.`);
}

async function copyInto(
  copy: string,
  { data, env, now, progress }: BackupRequest,
  read: typeof checkCopy,
): Promise<Omit<BackupHead, "bytes" | "sha256">> {
  if (isPostgresAddress(data)) {
    const report = ({ table, done, total }: CopyProgress) => progress(`copying ${table} ${done} of ${total}`);
    await copyStoreTo(data, copy, report, { env }).catch((error: unknown) => {
      throw error instanceof Error && isWriteFault(error.cause) ? toDiskFailure(copy, error) : error;
    });
  } else {
    if (existsSync(data)) requireRoom(dirname(copy), statSync(data).size);
    await copySqlite(data, copy, (done) => progress(`copying ${toPercent(done)}`));
  }
  // A store unpacked without `restore` must not send deliveries.
  holdCopy(copy, { since: now, reason: "this store is a backup" });
  const contents = requireSound(await read(copy, (table) => progress(`checking ${table}`)), data);
  return { ...contents, created_on: now, program: programVersion };
}

function requireSound({ problem, ...contents }: CheckedCopy, data: string) {
  if (problem === null) return contents;
  const detail = `${toShownStore(data)} cannot be backed up: ${problem}`;
  const see = { command: "doctor --full" } as const;
  throw new DispatchError([{ code: "store_unreadable", detail, field: null, see }]);
}

async function toChange(
  encryption: Encryption | null,
): Promise<{ change: (chunks: Chunks) => Chunks; keys: BackupKeys }> {
  if (encryption === null) return { change: (chunks) => chunks, keys: noKeys };
  const { encrypt, keys } = await createEncrypter(encryption);
  return { change: encrypt, keys };
}

function pack(
  copy: string,
  head: BackupHead,
  change: (chunks: Chunks) => Chunks,
  output: Writable,
  progress: Progress,
): Promise<void> {
  const report: Report = (done) => progress(`packing ${toPercent(done)}`);
  return packBackup(copy, head, change, output, report);
}

async function verify(
  packed: string,
  keys: BackupKeys,
  scratch: string,
  request: BackupRequest,
): Promise<void> {
  const opened = await openBackup(openBackupFile(packed), keys);
  try {
    requireSound(await restoreScratch(opened, scratch, request.progress), request.data);
  } finally {
    opened.close();
  }
}

async function readBackupAgain(branch: PassThrough, keys: BackupKeys, head: BackupHead): Promise<void> {
  const name = "what was written";
  const opened = await openBackup({ name, chunks: branch, close: () => void branch.destroy() }, keys);
  await opened.unpack(null, () => undefined);
  if (opened.head.sha256 !== head.sha256)
    throw failure("backup_unusable", "The written backup differs from the copy of the store.");
}

const drained = (stream: Writable) => new Promise<void>((resolve) => stream.once("drain", resolve));

function removeStore(file: string): void {
  for (const left of [file, `${file}.copying`])
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(left + end, { force: true });
}

const toPercent = (part: number) => `${Math.floor(part * 100)} %`;

async function makeHead(content: string, facts: Omit<BackupHead, "bytes" | "sha256">): Promise<BackupHead> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(content, { highWaterMark: chunkBytes })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { ...facts, bytes, sha256: hash.digest("hex") };
}

async function packBackup(
  content: string,
  head: BackupHead,
  change: (chunks: Chunks) => Chunks,
  to: Writable,
  report: Report,
): Promise<void> {
  await pipeline(
    createReadStream(content, { highWaterMark: chunkBytes }),
    (chunks: Chunks) => count(chunks, (bytes) => report(bytes / head.bytes)),
    createGzip({ level: 3 }),
    async function* (chunks: Chunks) {
      yield toHeadMember(head);
      yield* chunks;
    },
    change,
    to,
  );
}
