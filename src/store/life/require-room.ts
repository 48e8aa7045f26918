import { statfsSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { toSize } from "./size.ts";

/**
 * Throws file_not_written where a folder's disk has less room than will be needed, so that nobody fills a disk that others
 * write to. A folder that cannot be asked is left to those who write.
 */
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
