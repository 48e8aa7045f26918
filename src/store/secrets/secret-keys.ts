import { createHmac } from "node:crypto";
import { failure } from "../../errors/errors.ts";

export interface SecretKey {
  /** 16 hex digits, which do not reveal the key. */
  id: string;
  bytes: Buffer;
}

export type SecretKeys = readonly SecretKey[];

/** Base64 texts of 32 bytes, separated by commas or white space. `source` is for messages. */
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

/** An HMAC reveals nothing about a random key, and 64 bits distinguish keys. */
function toKeyId(bytes: Buffer): string {
  return createHmac("sha256", bytes)
    .update("dispatch-cli: id of a key for secrets")
    .digest("hex")
    .slice(0, 16);
}
