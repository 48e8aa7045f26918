import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { failure } from "../../errors/errors.ts";
import type { SecretKey, SecretKeys } from "./secret-keys.ts";

/** The metadata entry with the id of the encryption key. Plain stores lack it. */
export const secretKeyMark = "secret_key_id";

export interface Vault {
  keys: SecretKeys;
  open(place: SecretPlace, stored: string): string | null;
  /** Call it in the transaction that writes secrets. Throws secret_key_missing. */
  sealer(): Promise<Sealer>;
}

/** null: the store keeps plain text. */
type Sealer = ((place: SecretPlace, text: string) => string) | null;

export function createVault(
  keys: SecretKeys,
  metadata: { get(key: string): Promise<string | undefined> },
): Vault {
  return {
    keys,
    open: (place, stored) => openSecret(keys, place, stored),
    async sealer() {
      const keyId = await metadata.get(secretKeyMark);
      if (keyId === undefined) return null;
      const key = keys.find(({ id }) => id === keyId);
      if (!key) throw secretKeyMissing(keyId);
      return (place, text) => sealSecret(key, place, text);
    },
  };
}

export function secretKeyMissing(keyId: string | null = null) {
  const which = keyId === null ? "a key" : `key ${keyId}`;
  return failure(
    "secret_key_missing",
    `The secrets of this store's webhooks are encrypted with ${which}, which this process does not have.`,
  );
}

export const secretColumns = ["headers", "old_secret", "secret"] as const;

/** Authenticated with the ciphertext, which cannot be opened in another place. */
export interface SecretPlace {
  tenantId: number;
  hookId: number;
  column: (typeof secretColumns)[number];
}

/** Marks an encrypted text. A plain one is Base64 and has no colon. */
export const sealedPrefix = "enc:v1:";

const idLength = 16;
const nonceBytes = 12;
const tagBytes = 16;

export function keyIdOf(stored: string): string | null {
  if (!stored.startsWith(sealedPrefix)) return null;
  return stored.slice(sealedPrefix.length, sealedPrefix.length + idLength);
}

/** AES-256-GCM: `enc:v1:<key id>:` and the Base64 of nonce, ciphertext, and tag. */
export function sealSecret(key: SecretKey, place: SecretPlace, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(toAdditionalData(place));
  const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${sealedPrefix}${key.id}:${sealed.toString("base64")}`;
}

export function openSecret(keys: SecretKeys, place: SecretPlace, stored: string): string | null {
  const keyId = keyIdOf(stored);
  if (keyId === null) return stored;
  const key = keys.find(({ id }) => id === keyId);
  const sealed = Buffer.from(stored.slice(sealedPrefix.length + idLength + 1), "base64");
  if (!key || sealed.length < nonceBytes + tagBytes) return null;
  try {
    const nonce = sealed.subarray(0, nonceBytes);
    const decipher = createDecipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes });
    decipher.setAAD(toAdditionalData(place));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

export function lacksKey(keys: SecretKeys, stored: string): boolean {
  const keyId = keyIdOf(stored);
  return keyId !== null && !keys.some(({ id }) => id === keyId);
}

const toAdditionalData = ({ tenantId, hookId, column }: SecretPlace) =>
  Buffer.from(JSON.stringify(["hooks", tenantId, hookId, column]));
