import { WebhookVerificationError } from "./webhook-verification-error.ts";

/**
 * The keys of a webhook's secrets: the bytes behind their Base64 text, with or without `whsec_` before it. Throws a
 * WebhookVerificationError that does not repeat the text.
 */
export function toKeys(secret: string | readonly string[]): Uint8Array[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) throw invalid("There is no secret.");
  return secrets.map(toKey);
}

function toKey(secret: unknown): Uint8Array {
  if (typeof secret !== "string") throw invalid(`The secret must be text, not ${typeof secret}.`);
  const text = secret.trim().replace(/^whsec_/, "");
  const bytes = decode(text);
  if (!bytes || text.length < 11)
    throw invalid(
      "The secret must be the Base64 text that `hooks create` showed, with or without whsec_ before it.",
    );
  return bytes;
}

function decode(text: string): Uint8Array | null {
  // atob takes white space within too.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const invalid = (message: string) => new WebhookVerificationError("invalid_secret", message);
