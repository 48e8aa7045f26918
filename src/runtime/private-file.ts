import { randomBytes } from "node:crypto";
import { constants, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";

// What the program writes holds customers' addresses and notes: its owner alone can read it, and a symbolic link that
// somebody laid under its name leads nowhere.
const ownerOnly = 0o600;

/**
 * Writes a file, whole or not at all, in the place of one that is there; a symbolic link is replaced itself. A device or a
 * pipe takes the bytes. Throws what the file system throws.
 */
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

/** Writes a file that is not there yet. Throws EEXIST when something has its name, a symbolic link included. */
export function writeNewPrivately(file: string, bytes: string | Uint8Array): void {
  writeFileSync(file, bytes, { flag: "wx", mode: ownerOnly });
}

/** Opens an empty file in the place of what an earlier run left under its name. */
export async function openPrivately(file: string): Promise<FileHandle> {
  await rm(file, { force: true });
  return open(file, "wx", ownerOnly);
}

/** Opens a file to append to it. Throws ELOOP for a symbolic link, and EPERM for a file of somebody else. */
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

/** Whether a name stands for a device or a pipe, as /dev/stdout does: nothing that could be replaced. */
export function isStream(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
