/** A secret as the user gave it, and the name by which messages call it. */
export interface NamedSecret {
  name: string;
  text: string;
}

/** A text cannot be a secret. The message tells the person who chose it why, and never repeats the text. */
export class SecretError extends Error {
  override name = "SecretError";
}

/**
 * The HMAC key of a hook's secret: the bytes behind its Base64 text of 11 to 270 characters, white space
 * around it and the `whsec_` of Standard Webhooks before it aside. Padding may be left out. Throws `SecretError` for any other text.
 */
export function decodeSecret(secret: string): Uint8Array {
  const text = secret.trim().replace(/^whsec_/, "");
  if (text.length < 11 || text.length > 270) {
    throw new SecretError(`The secret must have 11 to 270 characters; it has ${text.length}.`);
  }
  if (!isBase64(text)) {
    throw new SecretError(
      "The secret must be Base64 text: A to Z, a to z, 0 to 9, + and /, with = only at its end.",
    );
  }
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

// Base64url is left out on purpose: a secret that is no Base64 is nearly always another kind of text.
function isBase64(text: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}
