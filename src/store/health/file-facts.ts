import { readdirSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Database } from "../schema/database.ts";
import type { Connection } from "../sqlite/connection.ts";
import { toStoreError } from "../sqlite/errors.ts";

export type ReadDepth = "quick" | "pages" | "full";

export interface FileMode {
  path: string;
  mode: number;
}

export interface FileFacts {
  file: string;
  bytes: number;
  logBytes: number;
  freeBytes: number;
  /** The store, its log, and copies beside it. Each holds secrets. */
  files: FileMode[];
  folder: FileMode;
  leftovers: string[];
  damage: string[];
  /** The first rows that refer to missing rows; null if not checked. */
  orphans: string[] | null;
  depth: ReadDepth;
}

/** Incomplete stores, copies, backups, and exports, and SQLite's files beside them. */
const draftName = /(?:\.[0-9a-f]{8}\.(?:new|copy)|\.copying)(?:-wal|-shm|-journal)?$/;

const findingsMax = 5;

export function readFolderFacts(
  file: string,
  nowMs: number,
): Omit<FileFacts, "damage" | "depth" | "orphans"> {
  const folder = dirname(file);
  const names = readdirSync(folder);
  const beside = names
    .filter((name) => name.startsWith(basename(file)))
    .map((name) => ({ end: name.slice(basename(file).length), ...toStatus(join(folder, name)) }));
  const { bavail, bsize } = statfsSync(folder);
  const ofStore = beside.filter(({ end }) =>
    /^(?:-wal|-shm|\.schema-\d+(?:-\d+)?\.bak|\.before-restore.*)?$/.test(end),
  );
  const left = names
    .filter((name) => draftName.test(name))
    .map((name) => toStatus(join(folder, name)))
    .filter(({ changedMs }) => nowMs - changedMs > 3_600_000);
  return {
    file,
    bytes: statSync(file).size,
    logBytes: beside.find(({ end }) => end === "-wal")?.bytes ?? 0,
    freeBytes: bavail * bsize,
    files: ofStore.map(({ path, mode }) => ({ path, mode })),
    folder: { path: folder, mode: statSync(folder).mode & 0o7777 },
    leftovers: left.map(({ path }) => path),
  };
}

function toStatus(path: string) {
  const { mode, mtimeMs, size } = statSync(path);
  return { path, mode: mode & 0o7777, bytes: size, changedMs: mtimeMs };
}

/** Reading every page of 1 GiB in memory takes 1 s; a full check takes 3 s. */
export function readDamage(
  connection: Connection,
  depth: ReadDepth,
): Pick<FileFacts, "damage" | "depth" | "orphans"> {
  if (depth === "quick") return { damage: [], depth, orphans: null };
  const isFull = depth === "full";
  try {
    const check = isFull ? "integrity_check" : "quick_check";
    const rows = connection.prepare(`pragma ${check}(${findingsMax})`).pluck().all() as string[];
    const damage = rows.filter((row) => row !== "ok").map((row) => row.replaceAll("\n", " "));
    return { damage, depth, orphans: isFull && damage.length === 0 ? findOrphans(connection) : null };
  } catch (error) {
    const known = toStoreError(error, "the file");
    return { damage: [known instanceof Error ? known.message : String(known)], depth, orphans: null };
  }
}

function findOrphans(connection: Connection): string[] {
  const found: string[] = [];
  const rows = connection.prepare("pragma foreign_key_check").iterate();
  for (const row of rows as IterableIterator<{ table: string; parent: string; rowid: number }>) {
    if (found.length === findingsMax) break;
    found.push(`row ${row.rowid} of ${row.table} to ${row.parent}`);
  }
  return found;
}

/** Columns with JSON, except roles, which wrong-roles.ts checks. */
export const jsonColumns = {
  assets: ["location"],
  audit: ["after", "before"],
  delivery_attempts: ["request_headers", "response_headers"],
  drivers: ["can_assign_to", "can_dispatch_to"],
  events: ["cause", "data", "previous"],
  hooks: ["events"],
  idempotency_keys: ["answer_headers"],
  jobs: ["record"],
  locations: ["address", "contact"],
  users: ["customer_ids"],
} satisfies { [Table in keyof Database]?: (keyof Database[Table])[] };

/** Turns a job's stored text into JSON by replacing the separators of segments, which are not valid JSON. */
function toJsonText(table: string, column: string): string {
  if (table !== "jobs") return `"${column}"`;
  const members = "replace(substr(record, instr(record, char(31)) + 1), char(31), ',')";
  return `'{' || trim(replace(replace(${members}, ',,', ','), ',,', ','), ',') || '}'`;
}

export function findBrokenJson(connection: Connection): string[] {
  return Object.entries(jsonColumns).flatMap(([table, columns]) => {
    const counts = columns.map(
      (column) => `count(*) filter (where not json_valid(${toJsonText(table, column)})) as "${column}"`,
    );
    const row =
      connection.prepare<[], Record<string, number>>(`select ${counts.join(", ")} from "${table}"`).get() ??
      {};
    return columns.flatMap((column) => (row[column] === 0 ? [] : [`${row[column]} of ${table}.${column}`]));
  });
}
