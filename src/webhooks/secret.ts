export interface NamedSecret {
  name: string;
  text: string;
}

/** The message explains the fault without repeating the text. */
export class SecretError extends Error {
  override name = "SecretError";
}

/** 11 to 270 characters of Base64, with or without padding, white space, and `whsec_`. Throws `SecretError`. */
export function decodeSecret(secret: string): Uint8Array {
  const text = secret.trim().replace(/^whsec_/, "");
  if (text.length < 11 || text.length > 270) {
    throw new SecretError(`The secret must have 11 to 270 characters; it has ${text.length}.`);
  }
  if (!base64.test(text)) {
    throw new SecretError(
      "The secret must be Base64 text: letters, digits, + and /, with = only at its end.",
    );
  }
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

// Base64url is refused: a secret in it is nearly always another kind of text.
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
