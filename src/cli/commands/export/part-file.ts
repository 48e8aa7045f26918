import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { failure } from "../../../errors/errors.ts";
import { toWriteFailure } from "../../../errors/file-error.ts";
import { openPrivately, reopenPrivately, writePrivately } from "../../../runtime/private-file.ts";

/** How far an export has come: how many records the file holds, and where the walk goes on. */
export interface ExportProgress {
  /** Records in the file. */
  count: number;
  /** The place that the next page begins behind; null when the walk cannot go on there. */
  after: string | null;
}

/** A file that is written beside its name and takes it when it is whole: nobody meets half of it. */
export interface PartFile {
  /** What an earlier run left; null when this one begins. */
  resumed: ExportProgress | null;
  /** Progress is null for the text that ends the file, which a resumed export writes again. */
  write(pieces: readonly string[], progress: ExportProgress | null): Promise<void>;
  /** Gives the file its name; gives its bytes. */
  finish(): Promise<number>;
  /** Leaves it as it is, to be resumed. */
  close(): Promise<void>;
}

interface KeptProgress extends ExportProgress {
  bytes: number;
  /** What was asked for: another export cannot go on with it. */
  asked: string;
}

/** Opens `<file>.part`, to go on with it when `resumes`. Throws a usage error when it cannot be written or resumed. */
export async function openPartFile(file: string, asked: string, resumes: boolean): Promise<PartFile> {
  const part = `${file}.part`;
  const log = `${file}.part.json`;
  const kept = resumes ? readProgress(file, log, asked) : null;
  const handle = await openPart(part, kept?.bytes ?? null);
  let bytes = kept?.bytes ?? 0;
  const encode = createEncoder();
  let reached: KeptProgress | null = null;
  // The first note comes at once: that of an earlier run, which is begun anew here, must not outlive its text.
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
          // A single write may take a part of it only, as it does when the disk gets full; this writes all or throws.
          await handle.appendFile(encoded);
          bytes += encoded.length;
        }
        // Only what was written before counts; a program that is killed repeats what came after the last note.
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
        // On a full disk the note before stays, and more is repeated.
      }
      await handle.close();
    },
  };
}

/** A note takes a third of a millisecond, as much as half a page. */
const betweenNotesBytes = 4_194_304;

const bufferBytes = 262_144;
/** What a UTF-16 unit takes in UTF-8 at most. */
const unitBytesMax = 3;

/**
 * Makes what encodes pieces of text in UTF-8, in one buffer that is used again and again: it must be written before the
 * next is asked for. Encoded as a whole, a page of half a megabyte would take three times its memory, and twice the time.
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

/** Opens the file empty, or with as many bytes as were noted. */
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

/** Reads what an earlier run left; null when there is nothing, or when the two files do not fit (after a power cut). */
function readProgress(file: string, log: string, asked: string): KeptProgress | null {
  const kept = readLog(log);
  if (kept === null || (statSync(`${file}.part`, { throwIfNoEntry: false })?.size ?? 0) < kept.bytes)
    return null;
  if (kept.asked === asked) return kept.after === null || kept.count === 0 ? null : kept;
  const detail = `${file}.part was begun by another export: its target, filters, fields or form differ. Without --resume it is begun anew.`;
  throw failure("usage", detail);
}

function readLog(log: string): KeptProgress | null {
  try {
    return JSON.parse(readFileSync(log, "utf8")) as KeptProgress;
  } catch {
    return null;
  }
}
