import * as z from "zod";
import { failure } from "../../errors/errors.ts";
import { parseObject } from "../../models/json.ts";
import type { Timestamp } from "../../runtime/clock.ts";

export interface BackupHead {
  bytes: number;
  sha256: string;
  created_on: Timestamp;
  program: string;
  rows: Record<string, number>;
  schema: number;
}

const headModel = z.object({
  bytes: z.number().int().nonnegative(),
  created_on: z.string(),
  program: z.string(),
  rows: z.record(z.string(), z.number()),
  schema: z.number().int(),
  sha256: z.string(),
});

// Two gzip members (RFC 1952): an empty one whose comment is the head, and the content. `gunzip` returns the SQLite
// file.
const gzipMagic = [0x1f, 0x8b, 0x08];
const hasComment = 0x10;
const headLength = 10;
const unknownSystem = 0xff;
const emptyContent = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const headPrefix = "dispatch-cli backup 1 ";

export const headBytesMax = 65_536;

export function toHeadMember(head: BackupHead): Buffer {
  const start = Buffer.alloc(headLength);
  start.set([...gzipMagic, hasComment]);
  start[headLength - 1] = unknownSystem;
  return Buffer.concat([
    start,
    Buffer.from(`${headPrefix}${JSON.stringify(head)}\0`, "latin1"),
    emptyContent,
  ]);
}

/** Needs the first `headBytesMax` bytes of a backup. Throws backup_unusable with this `name`. */
export function parseBackupHead(start: Buffer, name: string): BackupHead {
  const unusable = (reason: string) => failure("backup_unusable", `${name} ${reason}.`);
  if (start.length === 0) throw unusable("is empty");
  if (start.subarray(0, 15).toString("latin1") === "SQLite format 3")
    throw unusable("is a SQLite file, not a backup; name it with --data to work on it");
  if (gzipMagic.some((byte, at) => start[at] !== byte)) throw unusable("is not a backup of dispatch-cli");
  const end = start.indexOf(0, headLength);
  const text = start.subarray(headLength, end < 0 ? undefined : end).toString("latin1");
  if (start[3] !== hasComment || !text.startsWith(headPrefix))
    throw unusable("is a gzip file, but not a backup of dispatch-cli");
  if (end < 0) throw unusable("is cut off");
  const head = headModel.safeParse(parseObject(text.slice(headPrefix.length)));
  if (!head.success) throw unusable("has a damaged header");
  return head.data;
}
