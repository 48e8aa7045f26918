import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { toShellWord } from "../../runtime/shell-word.ts";
import type { FileFacts, FileMode, ReadDepth } from "../../store/health/file-facts.ts";
import { toSize } from "../../store/life/size.ts";
import { bad, type Check, type Finding, ok, warn } from "./finding.ts";

const mebibyte = 1024 ** 2;
/** SQLite writes its log back from about 4 MiB on. In a much longer log, a reader or a dead program holds it. */
const logBytesMax = 64 * mebibyte;
const freeBytesMin = 100 * mebibyte;

const wholeness: Readonly<Record<ReadDepth, string>> = {
  quick: "not checked with --quick",
  pages: "every page is intact (--full also checks the indexes)",
  full: "every page and index is intact",
};

export const fileChecks: readonly Check<FileFacts>[] = [
  {
    name: "integrity",
    judge: ({ damage, depth, file }) =>
      damage.length === 0 ? ok(wholeness[depth]) : bad(`damaged: ${damage.join("; ")}`, toRestore(file)),
  },
  {
    name: "references",
    judge: ({ file, orphans }) => {
      if (orphans === null) return ok("not checked without --full");
      if (orphans.length === 0) return ok("every referenced row exists");
      return bad(`rows refer to missing rows: ${orphans.join("; ")}`, toRestore(file));
    },
  },
  {
    name: "log",
    judge: ({ logBytes }) => {
      const size = `${toSize(logBytes)} of changes are not in the file yet`;
      if (logBytes <= logBytesMax) return ok(size);
      return warn(
        size,
        "Restart the programs that have the store open; the last one to stop writes them to the file.",
      );
    },
  },
  {
    name: "disk",
    judge: ({ bytes, freeBytes }) => {
      const free = `${toSize(freeBytes)} free; the store has ${toSize(bytes)}`;
      if (freeBytes < freeBytesMin) return bad(free, "Make room on the disk before it is full.");
      if (freeBytes < 2 * bytes)
        return warn(free, "Free space: a backup beside the store or an upgrade needs twice its size.");
      return ok(free);
    },
  },
  { name: "permissions", judge: ({ files }) => judgeModes(files) },
  {
    name: "folder",
    judge: ({ folder }) => {
      // In a sticky folder like /tmp users cannot remove each other's files.
      const isOpen = (folder.mode & 0o022) !== 0 && (folder.mode & 0o1000) === 0;
      if (!isOpen) return ok("no other user can replace the store");
      return warn(
        `other users can write to ${folder.path} and replace the store`,
        `chmod go-w ${toShellWord(folder.path)}`,
      );
    },
  },
  {
    name: "leftovers",
    judge: ({ leftovers }) =>
      leftovers.length === 0
        ? ok("no files of killed programs")
        : warn(`${leftovers.length} files of killed programs`, `rm ${leftovers.map(toShellWord).join(" ")}`),
  },
];

export function judgeModes(files: readonly FileMode[]) {
  const open = files.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path);
  if (open.length === 0) return ok("only the owner can read the files");
  return warn(`other users can read ${open.join(", ")}`, `chmod 600 ${open.map(toShellWord).join(" ")}`);
}

export function toRestore(file: string): string {
  return `dispatch-cli restore <backup> --data ${toShellWord(file)}`;
}

/** Files with settings and tokens. A missing file is fine. */
export function diagnoseSettings(folder: string, others: readonly string[]): Finding {
  const files = [...filesIn(folder), ...others].flatMap((path) => {
    const status = statSync(path, { throwIfNoEntry: false });
    return status?.isFile() ? [{ path, mode: status.mode & 0o7777 }] : [];
  });
  return { check: "settings", ...judgeModes(files) };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
