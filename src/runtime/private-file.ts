import { randomBytes } from "node:crypto";
import { constants, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";

// The files contain customers' data: only their owner can read them, and writing never follows a symbolic link.
const ownerOnly = 0o600;

/** Replaces a file or symbolic link atomically; writes to a device or pipe. Throws the file system's error. */
export function writePrivately(file: string, bytes: string | Uint8Array): void {
  if (isStream(file)) {
    writeFileSync(file, bytes);
    return;
  }
  const draft = `${file}.${randomBytes(4).toString("hex")}.new`;
  try {
    writeFileSync(draft, bytes, { flag: "wx", mode: ownerOnly });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Throws EEXIST, also for a symbolic link. */
export function writeNewPrivately(file: string, bytes: string | Uint8Array): void {
  writeFileSync(file, bytes, { flag: "wx", mode: ownerOnly });
}

/** Replaces the file of an earlier run. */
export async function openPrivately(file: string): Promise<FileHandle> {
  await rm(file, { force: true });
  return open(file, "wx", ownerOnly);
}

/** Throws ELOOP for a symbolic link, and EPERM for another owner's file. */
export async function reopenPrivately(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
  try {
    await handle.chmod(ownerOnly);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A device or a pipe, such as /dev/stdout, which nothing can replace. */
export function isStream(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
