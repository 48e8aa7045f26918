import { closeSync, fsyncSync, openSync } from "node:fs";
import { platform } from "node:os";

/** Brings the names in a folder to the disk: without it a power cut may bring back what was there before. */
export function syncFolder(folder: string): void {
  // Windows opens no folders.
  if (platform() === "win32") return;
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
