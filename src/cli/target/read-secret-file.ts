import { readFileSync, type Stats, statSync } from "node:fs";
import { platform } from "node:os";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { toShellWord } from "../../runtime/shell-word.ts";

export interface SecretFileOptions {
  /** The next step after the file's mode is fixed. */
  advice: string;
  /** root's group may read root's file: system-wide keys and mounted secrets have this mode. */
  allowsRootsGroup?: boolean;
}

/** Throws a usage error if other users may read the file. */
export function readSecretFile(
  file: string,
  { advice, allowsRootsGroup = false }: SecretFileOptions,
): string {
  const others = (found: Stats) => (allowsRootsGroup && found.uid === 0 ? 0o037 : 0o077);
  // Windows protects files in a user's folder by other means.
  return readChecked(file, (found) => platform() === "win32" || (found.mode & others(found)) === 0, advice);
}

export function readOpenFile(file: string): string {
  return readChecked(file, () => true, "");
}

function readChecked(file: string, isAllowed: (found: Stats) => boolean, advice: string): string {
  try {
    if (isAllowed(statSync(file))) return readFileSync(file, "utf8");
  } catch (error) {
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
  const cure = `chmod 600 ${toShellWord(file)}`;
  throw failure("usage", `${file} is not used: others can read it. \`${cure}\` fixes that${advice}.`);
}
