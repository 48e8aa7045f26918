import { parseSecretKeys, type SecretKeys } from "../../store/secrets/secret-keys.ts";
import type { CliContext } from "../context.ts";
import type { Settings } from "../settings.ts";
import { readSecretFile } from "./read-secret-file.ts";

/** Throws a usage error, which never repeats a key. */
export function readSecretKeys({ env }: Pick<CliContext, "env">, settings: Settings): SecretKeys {
  const file = settings.secretKeyFile.value;
  if (file !== null) return readKeyFile(file);
  const text = env.DISPATCH_SECRET_KEY?.trim() ?? "";
  return text === "" ? [] : parseSecretKeys(text, "DISPATCH_SECRET_KEY");
}

export function readKeyFile(file: string): SecretKeys {
  const text = readSecretFile(file, { advice: "; then create a new key" });
  return parseSecretKeys(text, file);
}
