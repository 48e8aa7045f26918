import { closeSync, fsyncSync, openSync } from "node:fs";
import { platform } from "node:os";

/** Writes a folder's names to the disk. Without it a power cut may bring back the former files. */
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
