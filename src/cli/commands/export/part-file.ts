import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { failure } from "../../../errors/errors.ts";
import { toWriteFailure } from "../../../errors/file-error.ts";
import { openPrivately, reopenPrivately, writePrivately } from "../../../runtime/private-file.ts";

export interface ExportProgress {
  count: number;
  after: string | null;
}

export interface PartFile {
  /** null for a new export. */
  resumed: ExportProgress | null;
  /** null for the end of the file, which a resumed export writes again. */
  write(pieces: readonly string[], progress: ExportProgress | null): Promise<void>;
  /** Renames the file and returns its size. */
  finish(): Promise<number>;
  /** Keeps the part for a later run. */
  close(): Promise<void>;
}

interface KeptProgress extends ExportProgress {
  bytes: number;
  /** The request. Only the same export can resume it. */
  asked: string;
}

/** Opens `<file>.part`. Throws a usage error if it cannot be written or resumed. */
export async function openPartFile(file: string, asked: string, resumes: boolean): Promise<PartFile> {
  const part = `${file}.part`;
  const log = `${file}.part.json`;
  const kept = resumes ? readProgress(file, log, asked) : null;
  const handle = await openPart(part, kept?.bytes ?? null);
  let bytes = kept?.bytes ?? 0;
  const encode = createEncoder();
  let reached: KeptProgress | null = null;
  // The first note replaces the note of an earlier run whose file is gone.
  let notedBytes = Number.NEGATIVE_INFINITY;
  const note = () => {
    if (reached === null) return;
    writePrivately(log, JSON.stringify(reached));
    notedBytes = reached.bytes;
    reached = null;
  };
  return {
    resumed: kept && { count: kept.count, after: kept.after },
    async write(pieces, progress) {
      try {
        for (const encoded of encode(pieces)) {
          await handle.appendFile(encoded);
          bytes += encoded.length;
        }
        // A note covers only written text. After a kill, later text is written again.
        if (progress !== null) reached = { asked, bytes, ...progress };
        if (bytes - notedBytes >= betweenNotesBytes) note();
      } catch (error) {
        throw toWriteFailure(part, error);
      }
    },
    async finish() {
      try {
        await handle.sync();
        await handle.close();
        renameSync(part, file);
      } catch (error) {
        throw toWriteFailure(file, error);
      }
      rmSync(log, { force: true });
      return bytes;
    },
    async close() {
      try {
        note();
      } catch {
        // On a full disk the old note stays, and more is written again.
      }
      await handle.close();
    },
  };
}

/** A note takes 0.3 ms, as much as half a page. */
const betweenNotesBytes = 4_194_304;

const bufferBytes = 262_144;
/** For one UTF-16 unit in UTF-8. */
const unitBytesMax = 3;

/** Uses one shared buffer: write each result before the next. A whole page would take three times its memory. */
function createEncoder(): (pieces: readonly string[]) => Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  return function* encode(pieces) {
    let end = 0;
    for (const piece of pieces) {
      const needed = piece.length * unitBytesMax;
      if (end + needed > bufferBytes && end > 0) {
        yield buffer.subarray(0, end);
        end = 0;
      }
      if (needed > bufferBytes) yield Buffer.from(piece);
      else end += buffer.write(piece, end);
    }
    if (end > 0) yield buffer.subarray(0, end);
  };
}

/** Opens the part: empty, or cut to the noted size. */
async function openPart(part: string, bytes: number | null): Promise<FileHandle> {
  try {
    if (bytes === null) return await openPrivately(part);
    const handle = await reopenPrivately(part);
    await handle.truncate(bytes);
    return handle;
  } catch (error) {
    throw toWriteFailure(part, error);
  }
}

/** null without an earlier run, or if the two files do not match (after a power failure). */
function readProgress(file: string, log: string, asked: string): KeptProgress | null {
  const kept = readLog(log);
  if (kept === null || (statSync(`${file}.part`, { throwIfNoEntry: false })?.size ?? 0) < kept.bytes)
    return null;
  if (kept.asked === asked) return kept.after === null || kept.count === 0 ? null : kept;
  const detail = `${file}.part belongs to another export with a different target, filters, fields, or format. Omit --resume to start over.`;
  throw failure("usage", detail);
}

function readLog(log: string): KeptProgress | null {
  try {
    return JSON.parse(readFileSync(log, "utf8")) as KeptProgress;
  } catch {
    return null;
  }
}
