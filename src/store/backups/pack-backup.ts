import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type BackupHead, toHeadMember } from "./backup-head.ts";
import { type Chunks, chunkBytes, count } from "./chunks.ts";
import type { Report } from "./open-backup.ts";

/** Reads a SQLite file, the content of a backup, and makes the head. */
export async function makeHead(
  content: string,
  facts: Omit<BackupHead, "bytes" | "sha256">,
): Promise<BackupHead> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(content, { highWaterMark: chunkBytes })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { ...facts, bytes, sha256: hash.digest("hex") };
}

/** Packs a SQLite file behind its head and writes it, as `change` makes it, to the end of `to`. */
export async function packBackup(
  content: string,
  head: BackupHead,
  change: (chunks: Chunks) => Chunks,
  to: Writable,
  report: Report,
): Promise<void> {
  await pipeline(
    createReadStream(content, { highWaterMark: chunkBytes }),
    (chunks: Chunks) => count(chunks, (bytes) => report(bytes / head.bytes)),
    createGzip({ level: 3 }),
    async function* (chunks: Chunks) {
      yield toHeadMember(head);
      yield* chunks;
    },
    change,
    to,
  );
}
