import { createHash } from "node:crypto";
import { closeSync, createReadStream, createWriteStream, openSync, readSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod";
import { failure } from "../../errors/errors.ts";
import { describeFileError, toWriteFailure } from "../../errors/file-error.ts";
import type { Timestamp } from "../../runtime/clock.ts";

/** The head of a backup, before its content: enough to know whether the content is complete and usable. */
export interface BackupHead {
  /** Bytes of the content, a SQLite file, and their SHA-256 in hex. */
  bytes: number;
  sha256: string;
  created_on: Timestamp;
  /** Version of the program that made it. */
  program: string;
  /** Rows of each table. */
  rows: Record<string, number>;
  /** The last migration of its tables. */
  schema: number;
}

const headModel = z.object({
  bytes: z.number().int(),
  created_on: z.string(),
  program: z.string(),
  rows: z.record(z.string(), z.number()),
  schema: z.number().int(),
  sha256: z.string(),
});

/** Reports how much of the content is done, from 0 to 1. Throws to end the work. */
export type Report = (done: number) => void;

// A gzip file of two members (RFC 1952): an empty one whose comment is the head, and the content. So `gunzip` gives the
// SQLite file, and the head can be read without unpacking anything.
const gzipMagic = [0x1f, 0x8b, 0x08];
const hasComment = 0x10;
const headLength = 10;
const unknownSystem = 0xff;
const emptyContent = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const headPrefix = "dispatch-cli backup 1 ";
const headBytesMax = 65_536;

/** Packs a SQLite file into a new file that only its owner can read, and gives its head. Throws file_not_written. */
export async function packBackup(
  content: string,
  to: string,
  facts: Omit<BackupHead, "bytes" | "sha256">,
  report: Report,
): Promise<BackupHead> {
  const head = { ...facts, ...(await measure(content)) };
  try {
    await pipeline(
      createReadStream(content, { highWaterMark: chunkBytes }),
      (chunks: Chunks) => count(chunks, (bytes) => report(bytes / head.bytes)),
      createGzip({ level: 3 }),
      async function* (chunks: Chunks) {
        yield toHeadMember(head);
        yield* chunks;
      },
      createWriteStream(to, { flags: "wx", mode: 0o600, flush: true }),
    );
  } catch (error) {
    throw isOfSystem(error) ? toWriteFailure(to, error) : error;
  }
  return head;
}

/** Reads the head of a backup. Throws backup_unusable, and a usage error when there is no such file. */
export function readBackupHead(file: string): BackupHead {
  const start = readStart(file);
  const unusable = (reason: string) => failure("backup_unusable", `${file} ${reason}.`);
  if (start.length === 0) throw unusable("is empty");
  if (start.subarray(0, 15).toString("latin1") === "SQLite format 3")
    throw unusable("is a SQLite file, not a backup; name it with --data to work on it");
  if (gzipMagic.some((byte, at) => start[at] !== byte)) throw unusable("is no backup of dispatch-cli");
  const end = start.indexOf(0, headLength);
  const text = start.subarray(headLength, end < 0 ? undefined : end).toString("latin1");
  if (start[3] !== hasComment || !text.startsWith(headPrefix))
    throw unusable("is a gzip file, but no backup of dispatch-cli");
  if (end < 0) throw unusable("is cut off");
  const head = headModel.safeParse(parseJson(text.slice(headPrefix.length)));
  if (!head.success) throw unusable("has a damaged head");
  return head.data;
}

/** Unpacks the content into a new file and checks it against the head. Throws backup_unusable and file_not_written. */
export async function unpackBackup(
  file: string,
  to: string,
  { bytes, sha256 }: BackupHead,
  report: Report,
): Promise<void> {
  const damaged = (reason: string, cause?: unknown) =>
    failure("backup_unusable", `${file} is damaged: ${reason}.`, null, cause);
  const hash = createHash("sha256");
  let found = 0;
  try {
    await pipeline(
      createReadStream(file, { highWaterMark: chunkBytes }),
      createGunzip(),
      (chunks: Chunks) =>
        count(chunks, (passed, chunk) => {
          // Ends before a forged archive fills the disk.
          if (passed > bytes) throw damaged("it holds more than its head says");
          hash.update(chunk);
          found = passed;
          report(passed / bytes);
        }),
      createWriteStream(to, { flags: "wx", mode: 0o600, flush: true }),
    );
  } catch (error) {
    const code = codeOf(error);
    if (code === "Z_BUF_ERROR") throw damaged("its end is missing", error);
    if (code.startsWith("Z_")) throw damaged("it cannot be unpacked", error);
    throw isOfSystem(error) ? toWriteFailure(to, error) : error;
  }
  if (found < bytes) throw damaged(`${bytes - found} bytes of its content are missing`);
  if (hash.digest("hex") !== sha256) throw damaged("its content does not agree with its checksum");
}

const chunkBytes = 262_144;

type Chunks = AsyncIterable<Buffer>;

/** Passes everything on and reports with each chunk how many bytes have passed. */
async function* count(chunks: Chunks, tell: (passed: number, chunk: Buffer) => void) {
  let passed = 0;
  for await (const chunk of chunks) {
    passed += chunk.length;
    tell(passed, chunk);
    yield chunk;
  }
}

async function measure(file: string): Promise<Pick<BackupHead, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function toHeadMember(head: BackupHead): Buffer {
  const start = Buffer.alloc(headLength);
  start.set([...gzipMagic, hasComment]);
  start[headLength - 1] = unknownSystem;
  return Buffer.concat([
    start,
    Buffer.from(`${headPrefix}${JSON.stringify(head)}\0`, "latin1"),
    emptyContent,
  ]);
}

function readStart(file: string): Buffer {
  const start = Buffer.alloc(headBytesMax);
  try {
    if (!statSync(file).isFile()) throw failure("usage", `${file} is no file.`);
    const opened = openSync(file, "r");
    try {
      return start.subarray(0, readSync(opened, start, 0, headBytesMax, 0));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

/** An errno of the system, rather than an error of this program or of Node. */
const isOfSystem = (error: unknown) =>
  error instanceof Error && "errno" in error && /^E[A-Z]/.test(codeOf(error));
