import { secretKeyMissing } from "../store/secrets/vault.ts";

/** The secret of a webhook, to sign with. Throws secret_key_missing when it cannot be opened here (OP-107). */
export function requireSecret({ secret }: { secret: string | null }): string {
  if (secret === null) throw secretKeyMissing();
  return secret;
}
