import { wholeTenant } from "../access/row-scopes.ts";
import type { SecretKeys } from "../secrets/secret-keys.ts";
import { secretKeyMissing } from "../secrets/vault.ts";
import type { Store } from "../store.ts";

/**
 * Has a store keep its secrets under a key, or as plain text (null): from now on, and those that are there, tenant by
 * tenant. Whoever writes a secret meanwhile writes it in the new form, or before its tenant's turn. Stopped half-way, it
 * goes on when it is called again; both forms can be read until then. Throws secret_key_missing before anything is
 * written when a secret cannot be opened with the keys of the store. Gives how many secrets changed their form.
 */
export async function resealSecrets(store: Store, keys: SecretKeys, keyId: string | null): Promise<number> {
  const { sealed } = await store.secretForms.read();
  const unknown = Object.keys(sealed).find((id) => !keys.some((key) => key.id === id));
  if (unknown !== undefined) throw secretKeyMissing(unknown);
  await store.secretForms.mark(keyId);
  let changed = 0;
  for (const { id } of await store.accounts.tenants()) {
    changed += await store.write({ tenantId: id, rowScopes: wholeTenant }, ({ hookSecrets }) =>
      hookSecrets.reseal(),
    );
  }
  return changed;
}
