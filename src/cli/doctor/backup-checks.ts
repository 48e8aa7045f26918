import { basename, join } from "node:path";
import { type Timestamp, toEpochMs } from "../../runtime/clock.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { BackupFacts, FoundBackup } from "../../store/health/backup-facts.ts";
import { toSize } from "../../store/life/size.ts";
import { judgeModes } from "./file-checks.ts";
import { bad, type Check, ok, warn } from "./finding.ts";

interface BackupsAt {
  facts: BackupFacts;
  now: Timestamp;
  /** null for the default of the folder. */
  maxAgeMs: number | null;
}

export const backupChecks: readonly Check<BackupsAt>[] = [
  { name: "newest", judge: judgeAge },
  { name: "whole", judge: ({ facts }) => judgeWholeness(facts) },
  {
    name: "kept",
    judge: ({ facts: { backups, record } }) => {
      const wrong = backups.filter(({ problem }) => problem !== null);
      const of = record === null ? "" : ` of ${record.keep}`;
      const count = `${backups.length - wrong.length}${of}`;
      const [first] = wrong;
      if (!first) return ok(count);
      const detail = `${count}; ${wrong.map(({ path, problem }) => `${basename(path)} ${problem}`).join("; ")}`;
      return warn(detail, "Copy them from another place, or delete them: they cannot be restored.");
    },
  },
  { name: "last try", judge: ({ facts }) => judgeLastTry(facts) },
  {
    name: "room",
    judge: ({ facts: { backups, folder, freeBytes, record } }) => {
      const packed = record?.backups.at(-1)?.packed_bytes ?? 0;
      const needed = (backups.at(-1)?.bytes ?? 0) + packed;
      const free = `${toSize(freeBytes)} free; the next backup needs ${toSize(needed)}`;
      return freeBytes >= needed
        ? ok(free)
        : bad(free, `Free space in ${folder}, or keep fewer with --keep.`);
    },
  },
  { name: "permissions", judge: ({ facts }) => judgeModes(facts.files) },
  {
    name: "leftovers",
    judge: ({ facts: { folder, leftovers } }) =>
      leftovers.length === 0
        ? ok("no files of killed programs")
        : warn(
            `${leftovers.length} files of a killed backup, unless one runs now; the next backup removes them`,
            `rm ${leftovers.map((name) => toShellWord(join(folder, name))).join(" ")}`,
          ),
  },
];

const hourMs = 3_600_000;
/** A day, and an hour for the backup itself. */
const dailyMs = 25 * hourMs;

function judgeAge({ facts: { backups, record }, maxAgeMs, now }: BackupsAt) {
  const newest = backups.findLast(({ problem }) => problem === null);
  const start = "Start `dispatch-cli backup --to` (or its service or cron job) and read its output.";
  if (!newest) return bad("no usable backup", start);
  // A backup may still run when the next is due.
  const scheduledMs = record?.every_seconds ? record.every_seconds * 2000 + 60_000 : dailyMs;
  const allowedMs = maxAgeMs ?? scheduledMs;
  const ageMs = toEpochMs(now) - toEpochMs(newest.createdOn);
  const age = `${basename(newest.path)} is ${toAge(ageMs)} old`;
  if (ageMs <= allowedMs) return ok(age);
  return bad(`${age}; the maximum is ${toAge(allowedMs)}`, start);
}

function judgeWholeness({ backups, record }: BackupFacts) {
  const read = backups.filter(({ isRead }) => isRead);
  const damaged = read.filter(({ problem }) => problem !== null);
  if (damaged.length > 0)
    return bad(damaged.map(toWrong).join("; "), "Create a new backup now, and check the disk.");
  const newest = backups.at(-1);
  if (newest && newest.problem !== null)
    return bad(toWrong(newest), "Create a new backup now, and find out what changed the file.");
  if (read.length === 0)
    return newest && newest.bytes === null
      ? warn(
          "the newest is encrypted, and no list has its checksum",
          `dispatch-cli restore ${toShellWord(newest.path)} --check --identity-file <file>`,
        )
      : ok("not checked");
  const which = read.length === 1 ? "the newest matches" : `${read.length} match`;
  return ok(`${which} ${record === null ? "the checksum inside" : "the checksum of the verified backup"}`);
}

const toWrong = ({ path, problem }: FoundBackup) => `${basename(path)} ${problem}`;

function judgeLastTry({ record }: BackupFacts) {
  if (record === null) return ok("unknown: the folder has no list of `backup --to`");
  const { failure } = record;
  if (failure === null) return ok("succeeded");
  const detail = `failed at ${failure.on.slice(0, 19)} UTC, ${failure.in_a_row} in a row: ${failure.detail}`;
  const cure = "Fix the reported problem; `backup --every` retries automatically.";
  return failure.in_a_row > 1 ? bad(detail, cure) : warn(detail, cure);
}

/** `3 h 5 min`: the two largest units. */
function toAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
