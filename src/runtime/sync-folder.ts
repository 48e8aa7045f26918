import { closeSync, fsyncSync, openSync } from "node:fs";
import { platform } from "node:os";

/** Writes a folder's names to the disk. Otherwise a power cut may restore the former files. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders.
  if (platform() === "win32") return;
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
