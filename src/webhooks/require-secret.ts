import { secretKeyMissing } from "../store/secrets/vault.ts";

/** The secret of a webhook, to sign with. Throws secret_key_missing when it cannot be opened here (OP-107). */
export function requireSecret({ secret }: { secret: string | null }): string {
  if (secret === null) throw secretKeyMissing();
  return secret;
}

/** The own headers of a webhook, to send. Throws secret_key_missing when they cannot be opened here. */
export function requireHeaders<Headers>({ headers }: { headers: Headers | null }): Headers {
  if (headers === null) throw secretKeyMissing();
  return headers;
}
