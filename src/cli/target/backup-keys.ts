import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { BackupKeys, Encryption } from "../../store/backups/encryption.ts";
import type { OptionValues } from "../context.ts";
import { readSecretFile } from "./read-secret-file.ts";

export function addEncryptionOptions(command: Command): Command {
  return command
    .option(
      "--recipient <age1…>",
      "encrypt the backup for this recipient of age; repeatable",
      (recipient: string, recipients: string[]) => [...recipients, recipient],
      [],
    )
    .option("--recipients-file <file>", "encrypt the backup for the recipients in this file, one per line")
    .option("--passphrase-file <file>", "encrypt the backup with the passphrase in this file of mode 0600");
}

export function addDecryptionOptions(command: Command): Command {
  return command
    .option("--identity-file <file>", "file of mode 0600 with the key of age that opens the backup")
    .option("--passphrase-file <file>", "file of mode 0600 with the passphrase that opens the backup");
}

/** null for none. Throws a usage error that repeats no secret. */
export async function readEncryption(options: OptionValues): Promise<Encryption | null> {
  const { recipient, recipientsFile, passphraseFile } = options as {
    recipient: string[];
    recipientsFile?: string;
    passphraseFile?: string;
  };
  const listed = recipientsFile === undefined ? [] : readLines(readPublicText(recipientsFile));
  if (recipientsFile !== undefined && listed.length === 0)
    throw failure("usage", `${recipientsFile} has no recipient.`);
  const recipients = [...recipient, ...listed];
  if (passphraseFile !== undefined) {
    if (recipients.length > 0)
      throw failure("usage", "A backup is encrypted for recipients or with a passphrase, not both.");
    return { passphrase: readNewPassphrase(passphraseFile) };
  }
  if (recipients.length === 0) return null;
  const { requireRecipients } = await import("../../store/backups/encryption.ts");
  await requireRecipients(recipient, "--recipient");
  await requireRecipients(listed, recipientsFile ?? "");
  return { recipients };
}

/** Throws a usage error that repeats no secret. */
export async function readBackupKeys(options: OptionValues): Promise<BackupKeys> {
  const { identityFile, passphraseFile } = options as { identityFile?: string; passphraseFile?: string };
  const passphrase = passphraseFile === undefined ? null : readPassphrase(passphraseFile);
  if (identityFile === undefined) return { identities: [], passphrase };
  const text = readSecretFile(identityFile, { advice: "; then create a new key" });
  if (/^(?:age-encryption\.org\/|-----BEGIN AGE)/.test(text))
    throw failure("usage", `${identityFile} is encrypted: \`age --decrypt\` writes the plain key file.`);
  const identities = readLines(text);
  if (identities.length === 0) throw failure("usage", `${identityFile} has no key.`);
  const { requireIdentities } = await import("../../store/backups/encryption.ts");
  await requireIdentities(identities, identityFile);
  return { identities, passphrase };
}

/** An attacker with a backup can try passphrases without limit. */
const passphraseLengthMin = 12;

function readNewPassphrase(file: string): string {
  const passphrase = readPassphrase(file);
  if (passphrase.length >= passphraseLengthMin) return passphrase;
  throw failure(
    "usage",
    `The passphrase in ${file} is too short: ${passphraseLengthMin} characters are the minimum. \`openssl rand -base64 24\` creates a good one.`,
  );
}

function readPassphrase(file: string): string {
  const passphrase = readSecretFile(file, { advice: "; then choose a new passphrase" }).replace(/\r?\n$/, "");
  if (passphrase === "") throw failure("usage", `${file} is empty.`);
  if (/[\r\n]/.test(passphrase)) throw failure("usage", `${file} has more than one line.`);
  return passphrase;
}

function readPublicText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
}

/** age ignores empty lines and comments. */
const readLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
