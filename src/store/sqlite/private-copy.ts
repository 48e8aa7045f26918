import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { Connection } from "./connection.ts";
import { openConnection } from "./driver.ts";

/** A place without write access needs a copy, unless SQLite's index of the log exists, as while a server runs. */
export function isReadOnlyPlace(file: string): boolean {
  const canWrite = allows(file, constants.W_OK) && allows(dirname(file), constants.W_OK);
  if (canWrite || !allows(file, constants.R_OK)) return false;
  return !allows(`${file}-shm`, constants.R_OK) || !allows(`${file}-wal`, constants.R_OK);
}

/** Deletes the copy's names at once. SQLite's `immutable` needs no copy but ignores the log. */
export function openPrivateCopy(file: string): Connection {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "dispatch-read-"));
    const copy = join(folder, "store.db");
    copyUnchanged(file, copy);
    const connection = openConnection(copy);
    // SQLite opens the copy's log with the first query and no longer needs the names.
    connection.prepare("select count(*) from sqlite_schema").get();
    return connection;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    const reason = describeFileError(error, "the folder for temporary files is missing");
    const detail = `${file} is read-only, and cannot be copied for reading: ${reason}.`;
    throw failure("store_unavailable", detail, null, error);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies again if other programs have written in between. */
function copyUnchanged(file: string, copy: string): void {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = stateOf(file);
    for (const end of ["", "-wal"]) {
      rmSync(copy + end, { force: true });
      if (!existsSync(file + end)) continue;
      copyFileSync(file + end, copy + end, constants.COPYFILE_FICLONE);
      chmodSync(copy + end, 0o600);
    }
    if (stateOf(file) === before) return;
  }
  throw failure("store_unavailable", `${file} is being written by another program, and cannot be copied.`);
}

const triesMax = 5;

/** Changes with each write to the file or its log. */
function stateOf(file: string): string {
  const states = ["", "-wal"].map((end) => {
    const found = statSync(file + end, { throwIfNoEntry: false });
    return found && [found.ino, found.size, found.mtimeMs, found.ctimeMs];
  });
  return JSON.stringify(states);
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
