import { createHmac } from "node:crypto";
import { failure } from "../../errors/errors.ts";

export interface SecretKey {
  /** Names the key without revealing it: 16 hex digits. */
  id: string;
  bytes: Buffer;
}

export type SecretKeys = readonly SecretKey[];

/**
 * Reads keys: each the Base64 text of 32 bytes, separated by commas, spaces, or line breaks. `source` names the origin
 * in messages, which never quote the text. Throws a usage error.
 */
export function parseSecretKeys(text: string, source: string): SecretKeys {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 0) throw failure("usage", `${source} holds no key.`);
  return parts.map((part, index) => {
    if (!/^[A-Za-z0-9+/]{43}=$/.test(part)) {
      const which = parts.length === 1 ? "the key" : `key ${index + 1}`;
      const rule = "a key is the Base64 text of 32 bytes, as `openssl rand -base64 32` prints it";
      throw failure("usage", `${source}: ${which} has ${part.length} characters and is not valid; ${rule}.`);
    }
    const bytes = Buffer.from(part, "base64");
    return { id: toKeyId(bytes), bytes };
  });
}

/** The HMAC of a random key reveals nothing about it, and 64 bits tell any two keys apart. */
function toKeyId(bytes: Buffer): string {
  return createHmac("sha256", bytes)
    .update("dispatch-cli: id of a key for secrets")
    .digest("hex")
    .slice(0, 16);
}
