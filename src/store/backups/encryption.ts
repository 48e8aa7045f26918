import { ReadableStream } from "node:stream/web";
import type { Decrypter, Encrypter } from "age-encryption";
import { failure } from "../../errors/errors.ts";
import { type Chunks, isOfSystem, peek } from "./chunks.ts";

export type Encryption = { recipients: readonly string[] } | { passphrase: string };

export interface BackupKeys {
  identities: readonly string[];
  passphrase: string | null;
}

export const noKeys: BackupKeys = { identities: [], passphrase: null };

/** Uses the format of age (https://age-encryption.org/v1). */
interface BackupEncrypter {
  encrypt(chunks: Chunks): Chunks;
  /** Keys that open this backup. Never stored. */
  keys: BackupKeys;
}

/** Throws an error that names the invalid recipient. It quotes only recipients: another text could be a secret key. */
export async function requireRecipients(recipients: readonly string[], source: string): Promise<void> {
  const { Encrypter } = await import("age-encryption");
  for (const [index, recipient] of recipients.entries()) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch {
      const shown = /^(?:age1|ssh-)/.test(recipient) ? `"${recipient}"` : `recipient ${index + 1}`;
      throw failure("usage", `${source}: ${shown} is not used: ${toHint(recipient)}`);
    }
  }
}

function toHint(recipient: string): string {
  if (/^AGE-SECRET-KEY-/i.test(recipient))
    return "it is a secret key, which is for restoring only. `age-keygen -y <its file>` shows its recipient, age1….";
  const fault = recipient.startsWith("ssh-") ? "SSH keys are not supported" : "it is not a recipient of age";
  return `${fault}. \`age-keygen\` creates a key and shows its recipient, age1….`;
}

export async function requireIdentities(identities: readonly string[], source: string): Promise<void> {
  const { Decrypter, identityToRecipient } = await import("age-encryption");
  for (const [index, identity] of identities.entries()) {
    try {
      new Decrypter().addIdentity(identity);
      await identityToRecipient(identity);
    } catch {
      // The cause could contain the key.
      throw failure("usage", `${source}: key ${index + 1} is not an identity of age (AGE-SECRET-KEY-1…).`);
    }
  }
}

/** Adds a temporary recipient whose key is never stored, so that the program can check a backup without secret keys. */
export async function createEncrypter(encryption: Encryption): Promise<BackupEncrypter> {
  const age = await import("age-encryption");
  const encrypter = new age.Encrypter();
  if ("passphrase" in encryption) {
    encrypter.setPassphrase(encryption.passphrase);
    const keys = { identities: [], passphrase: encryption.passphrase };
    return { encrypt: (chunks) => encryptWith(encrypter, chunks), keys };
  }
  for (const recipient of encryption.recipients) encrypter.addRecipient(recipient);
  // The temporary recipient must be as strong as the others.
  const isHybrid = encryption.recipients.some((recipient) => /^age1(?:tag)?pq1/.test(recipient));
  const identity = await (isHybrid ? age.generateHybridIdentity() : age.generateX25519Identity());
  encrypter.addRecipient(await age.identityToRecipient(identity));
  const keys = { identities: [identity], passphrase: null };
  return { encrypt: (chunks) => encryptWith(encrypter, chunks), keys };
}

async function* encryptWith(encrypter: Encrypter, chunks: Chunks) {
  const encrypted = await encrypter.encrypt(toWeb(chunks));
  // The types of the library omit that Node's web streams are async iterables.
  for await (const chunk of encrypted as unknown as AsyncIterable<Uint8Array>) yield toBuffer(chunk);
}

export function readLock(start: Buffer): "armored" | "key" | "passphrase" | null {
  const text = start.subarray(0, 4096).toString("latin1");
  if (text.startsWith("-----BEGIN AGE ENCRYPTED FILE-----")) return "armored";
  if (!text.startsWith("age-encryption.org/v1\n")) return null;
  return text.startsWith("-> scrypt ", text.indexOf("\n") + 1) ? "passphrase" : "key";
}

/** Throws backup_locked or backup_unusable, also while the content is read. Damaged content is not returned. */
export async function decrypt(
  chunks: Chunks,
  lock: "armored" | "key" | "passphrase",
  keys: BackupKeys,
  name: string,
): Promise<Chunks> {
  requireKey(lock, keys, name);
  const { start, chunks: whole } = await peek(chunks, headerBytesMax);
  if (!start.includes("\n--- ")) throw failure("backup_unusable", `${name} has a damaged header.`);
  const age = await import("age-encryption");
  const decrypter = new age.Decrypter();
  if (lock === "passphrase") decrypter.addPassphrase(keys.passphrase ?? "");
  else for (const identity of keys.identities) decrypter.addIdentity(identity);
  const decrypted = await open(decrypter, whole, lock, name);
  return passOn(decrypted, name);
}

/** Limits the memory that a forged header can take. */
const headerBytesMax = 65_536;

async function open(
  decrypter: Decrypter,
  chunks: Chunks,
  lock: "key" | "passphrase" | "armored",
  name: string,
) {
  try {
    return (await decrypter.decrypt(toWeb(chunks))) as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (isOfSystem(error)) throw error;
    const text = error instanceof Error ? error.message : "";
    if (!text.startsWith("no identity matched"))
      throw failure("backup_unusable", `${name} is damaged or was altered: its header does not match.`);
    throw failure(
      "backup_locked",
      lock === "passphrase"
        ? `The passphrase is not the one of ${name}.`
        : `None of the given identities opens ${name}; it was made for other recipients.`,
    );
  }
}

async function* passOn(chunks: AsyncIterable<Uint8Array>, name: string) {
  try {
    for await (const chunk of chunks) yield toBuffer(chunk);
  } catch (error) {
    if (isOfSystem(error)) throw error;
    throw failure(
      "backup_unusable",
      `${name} is damaged: it is cut off or was altered, and cannot be decrypted.`,
      null,
      error,
    );
  }
}

function requireKey(lock: "armored" | "key" | "passphrase", keys: BackupKeys, name: string): void {
  const locked = (detail: string) => failure("backup_locked", `${name} is encrypted ${detail}.`);
  if (lock === "armored") throw locked("and armored (text): decrypt it with `age --decrypt` first");
  if (lock === "passphrase" && keys.passphrase === null)
    throw locked("with a passphrase: pass its file with --passphrase-file");
  if (lock === "key" && keys.identities.length === 0)
    throw locked("for recipients of age: pass a key file of one of them with --identity-file");
}

const toWeb = (chunks: Chunks) =>
  ReadableStream.from(chunks) as unknown as globalThis.ReadableStream<Uint8Array>;

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);
