import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { failure } from "../../../errors/errors.ts";
import { toWriteFailure } from "../../../errors/file-error.ts";
import { openPrivately, reopenPrivately, writePrivately } from "../../../runtime/private-file.ts";

/** The progress of an export: its records so far, and the place after them. */
export interface ExportProgress {
  count: number;
  /** The place where the next page begins; null when the export cannot be resumed there. */
  after: string | null;
}

/** A file that gets its name only when it is complete. */
export interface PartFile {
  /** The progress of an earlier run; null for a new export. */
  resumed: ExportProgress | null;
  /** Progress is null for the end of the file, which a resumed export writes again. */
  write(pieces: readonly string[], progress: ExportProgress | null): Promise<void>;
  /** Renames the file, and returns its size. */
  finish(): Promise<number>;
  /** Keeps the part, so that it can be resumed. */
  close(): Promise<void>;
}

interface KeptProgress extends ExportProgress {
  bytes: number;
  /** The request; a different export must not resume it. */
  asked: string;
}

/** Opens `<file>.part`; `resumes` continues it. Throws a usage error when it cannot be written or resumed. */
export async function openPartFile(file: string, asked: string, resumes: boolean): Promise<PartFile> {
  const part = `${file}.part`;
  const log = `${file}.part.json`;
  const kept = resumes ? readProgress(file, log, asked) : null;
  const handle = await openPart(part, kept?.bytes ?? null);
  let bytes = kept?.bytes ?? 0;
  const encode = createEncoder();
  let reached: KeptProgress | null = null;
  // The first progress note is written at once, to replace the note of an earlier run whose file is gone.
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
          // A single write may be partial, for example on a full disk; this writes all or throws.
          await handle.appendFile(encoded);
          bytes += encoded.length;
        }
        // A note covers only written text; after a kill, the text after the last note is written again.
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

/** A note takes a third of a millisecond, as much as half a page. */
const betweenNotesBytes = 4_194_304;

const bufferBytes = 262_144;
/** The largest size of a UTF-16 unit in UTF-8. */
const unitBytesMax = 3;

/**
 * Encodes pieces of text as UTF-8 in one shared buffer, which must be written before the next piece. A page of half a
 * megabyte at once would take three times its memory, and twice the time.
 */
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

/** Opens the file empty, or cut to the noted size. */
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

/** The progress of an earlier run; null without one, or when the two files do not fit (after a power failure). */
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
