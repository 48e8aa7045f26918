import { createHmac } from "node:crypto";
import { failure } from "../../errors/errors.ts";

/** A key that secrets are encrypted with. */
export interface SecretKey {
  /** Names the key without telling anything of it: 16 hex digits. */
  id: string;
  /** 32 of them. */
  bytes: Buffer;
}

/** The keys that a process was given. */
export type SecretKeys = readonly SecretKey[];

/**
 * Reads keys: each the Base64 text of 32 bytes, several with commas, spaces or line breaks between them. `source` is where
 * the text is from, for messages, which never repeat a part of it. Throws a usage error.
 */
export function parseSecretKeys(text: string, source: string): SecretKeys {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 0) throw failure("usage", `${source} holds no key.`);
  return parts.map((part, index) => {
    if (!/^[A-Za-z0-9+/]{43}=$/.test(part)) {
      const which = parts.length === 1 ? "the key" : `key ${index + 1}`;
      const rule = "a key is the Base64 text of 32 bytes, as `openssl rand -base64 32` makes it";
      throw failure("usage", `${source}: ${which} has ${part.length} characters and is none; ${rule}.`);
    }
    const bytes = Buffer.from(part, "base64");
    return { id: toKeyId(bytes), bytes };
  });
}

/** Of a key of 32 random bytes, its HMAC tells nothing; 64 bits of it tell any two keys apart. */
function toKeyId(bytes: Buffer): string {
  return createHmac("sha256", bytes)
    .update("dispatch-cli: id of a key for secrets")
    .digest("hex")
    .slice(0, 16);
}
