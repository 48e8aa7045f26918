import { toShellWord } from "../../runtime/shell-word.ts";
import type { FileFacts, FileMode, ReadDepth } from "../../store/health/file-facts.ts";
import { toSize } from "../../store/life/size.ts";
import { bad, type Check, ok, warn } from "./finding.ts";

const mebibyte = 1024 ** 2;
/**
 * SQLite writes its log back into the file from about 4 MiB on. A far longer log means that a reader or a dead program
 * holds it.
 */
const logBytesMax = 64 * mebibyte;
const freeBytesMin = 100 * mebibyte;

/** What may be said when no damage was found. */
const wholeness: Readonly<Record<ReadDepth, string>> = {
  quick: "not looked at with --quick",
  pages: "every page is whole (--full reads the indexes too)",
  full: "every page and index is whole",
};

/** What is looked at in a store's file and around it. */
export const fileChecks: readonly Check<FileFacts>[] = [
  {
    name: "integrity",
    judge: ({ damage, depth, file }) =>
      damage.length === 0 ? ok(wholeness[depth]) : bad(`damaged: ${damage.join("; ")}`, toRestore(file)),
  },
  {
    name: "references",
    judge: ({ file, orphans }) => {
      if (orphans === null) return ok("not looked at without --full");
      if (orphans.length === 0) return ok("no row points to one that is not there");
      return bad(`rows point to what is not there: ${orphans.join("; ")}`, toRestore(file));
    },
  },
  {
    name: "log",
    judge: ({ logBytes }) => {
      const size = `${toSize(logBytes)} of changes not yet in the file`;
      if (logBytes <= logBytesMax) return ok(size);
      return warn(
        size,
        "Restart the programs that have the store open; the last one that ends folds them in.",
      );
    },
  },
  {
    name: "disk",
    judge: ({ bytes, freeBytes }) => {
      const free = `${toSize(freeBytes)} free, the store has ${toSize(bytes)}`;
      if (freeBytes < freeBytesMin) return bad(free, "Make room on the disk before it is full.");
      if (freeBytes < 2 * bytes)
        return warn(free, "Make room: a backup beside the store or an upgrade takes twice its size.");
      return ok(free);
    },
  },
  { name: "permissions", judge: ({ files }) => judgeModes(files) },
  {
    name: "folder",
    judge: ({ folder }) => {
      // In a folder like /tmp users cannot remove each other's files.
      const isOpen = (folder.mode & 0o022) !== 0 && (folder.mode & 0o1000) === 0;
      if (!isOpen) return ok("others cannot replace the store");
      return warn(
        `others may write to ${folder.path}, and replace the store`,
        `chmod go-w ${toShellWord(folder.path)}`,
      );
    },
  },
  {
    name: "leftovers",
    judge: ({ leftovers }) =>
      leftovers.length === 0
        ? ok("nothing was left behind by programs that were killed")
        : warn(
            `${leftovers.length} files of programs that were killed`,
            `rm ${leftovers.map(toShellWord).join(" ")}`,
          ),
  },
];

/** Judges files that hold secrets: only their owner may read them. */
export function judgeModes(files: readonly FileMode[]) {
  const open = files.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path);
  if (open.length === 0) return ok("only the owner can read the files");
  return warn(`others can read ${open.join(", ")}`, `chmod 600 ${open.map(toShellWord).join(" ")}`);
}

/** A damaged file can only be replaced. */
export function toRestore(file: string): string {
  return `dispatch-cli restore <backup> --data ${toShellWord(file)}`;
}
