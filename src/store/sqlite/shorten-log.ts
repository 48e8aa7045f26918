import { statSync } from "node:fs";
import type { Connection } from "./connection.ts";

/** With so many bytes the log is shortened. */
const bytesMax = 16 * 1024 * 1024;

/** How long other connections may keep it from being shortened, in milliseconds; writers wait meanwhile. */
const waitMs = 50;

/**
 * Brings a long log into its file and empties it, if nobody else reads from it. One whose reads follow each other without
 * a pause calls this between two of them: SQLite empties a log only while nobody reads, so it would grow for ever.
 */
export function shortenLog(connection: Connection, file: string): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (!log || log.size < bytesMax) return;
  try {
    // Most of the work keeps nobody from writing; only the rest is done while nobody writes.
    connection.pragma("wal_checkpoint(PASSIVE)");
    connection.pragma(`busy_timeout = ${waitMs}`);
    connection.pragma("wal_checkpoint(TRUNCATE)");
  } catch {
    // Who writes is told what is wrong with the disk.
  } finally {
    connection.pragma("busy_timeout = 0");
  }
}
