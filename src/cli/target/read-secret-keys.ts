import { readFileSync, statSync } from "node:fs";
import { platform } from "node:os";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { toShellWord } from "../../runtime/shell-word.ts";
import { parseSecretKeys, type SecretKeys } from "../../store/secrets/secret-keys.ts";
import type { CliContext } from "../context.ts";
import type { Settings } from "../settings.ts";

/**
 * The keys for webhook secrets, of --secret-key-file or DISPATCH_SECRET_KEY; none when neither is given. Throws a usage
 * error, which never repeats a key.
 */
export function readSecretKeys({ env }: Pick<CliContext, "env">, settings: Settings): SecretKeys {
  const file = settings.secretKeyFile.value;
  if (file !== null) return readKeyFile(file);
  const text = env.DISPATCH_SECRET_KEY?.trim() ?? "";
  return text === "" ? [] : parseSecretKeys(text, "DISPATCH_SECRET_KEY");
}

/** The keys in a file, which nobody else may read. Throws a usage error. */
export function readKeyFile(file: string): SecretKeys {
  const text = readPrivateText(file, "key");
  return parseSecretKeys(text, file);
}

/** The text of a file that holds secrets, which nobody else may read. Throws a usage error. */
export function readPrivateText(file: string, secret: "key" | "secret" | "token"): string {
  let mode: number;
  try {
    mode = statSync(file).mode;
    // Windows protects files in a user's folder by other means than mode bits.
    if (platform() === "win32" || (mode & 0o077) === 0) return readFileSync(file, "utf8");
  } catch (error) {
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
  const cure = `chmod 600 ${toShellWord(file)}`;
  throw failure(
    "usage",
    `${file} is not used: others can read it. \`${cure}\` mends that; then make a new ${secret}.`,
  );
}
