import { readFileSync, type Stats, statSync } from "node:fs";
import { platform } from "node:os";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { toShellWord } from "../../runtime/shell-word.ts";

export interface SecretFileOptions {
  /** What else is to be done once others can no longer read the file. */
  advice: string;
  /** A file of root's may be read by its group, as system-wide keys and mounted secrets are. */
  allowsRootsGroup?: boolean;
}

/** The text of a file that nobody else may read. Throws a usage error. */
export function readSecretFile(
  file: string,
  { advice, allowsRootsGroup = false }: SecretFileOptions,
): string {
  const others = (found: Stats) => (allowsRootsGroup && found.uid === 0 ? 0o037 : 0o077);
  // Windows protects files in a user's folder by other means than mode bits.
  return readChecked(file, (found) => platform() === "win32" || (found.mode & others(found)) === 0, advice);
}

/** The text of a file that anybody may read. Throws a usage error. */
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
  throw failure("usage", `${file} is not used: others can read it. \`${cure}\` mends that${advice}.`);
}
