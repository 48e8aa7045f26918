import { decodeSecret } from "../webhooks/secret.ts";
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
  try {
    return decodeSecret(secret);
  } catch {
    throw invalid(
      "The secret must be the Base64 text that `hooks create` showed, with or without whsec_ before it.",
    );
  }
}

const invalid = (message: string) => new WebhookVerificationError("invalid_secret", message);
