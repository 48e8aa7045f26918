import { failure } from "../../errors/errors.ts";
import { systemClock } from "../../runtime/clock.ts";
import { wholeTenant } from "../access/row-scopes.ts";
import type { SecretKeys } from "../secrets/secret-keys.ts";
import { secretKeyMissing } from "../secrets/vault.ts";
import { lockWaitMsMax } from "../sqlite/connect.ts";
import { openConnection } from "../sqlite/driver.ts";
import { toStoreError } from "../sqlite/errors.ts";
import type { Store } from "../store.ts";

/** Encrypts secrets with a key, or decrypts them (null). Continues an interrupted run. Throws secret_key_missing. */
export async function resealSecrets(store: Store, keys: SecretKeys, keyId: string | null): Promise<number> {
  const { sealed } = await store.secretForms.read();
  const unknown = Object.keys(sealed).find((id) => !keys.some((key) => key.id === id));
  if (unknown !== undefined) throw secretKeyMissing(unknown);
  await store.secretForms.mark(keyId, systemClock.now());
  let changed = 0;
  for (const { id } of await store.accounts.tenants()) {
    changed += await store.write({ tenantId: id, rowScopes: wholeTenant }, ({ hookSecrets }) =>
      hookSecrets.reseal(),
    );
  }
  return changed;
}

export async function checkSecretKeys(store: Store, keys: SecretKeys): Promise<void> {
  if (keys.length === 0) return;
  const keyId = await store.secretForms.keyId();
  if (keyId === null || keys.some(({ id }) => id === keyId)) return;
  const given = keys.map(({ id }) => id).join(", ");
  throw failure(
    "secret_key_wrong",
    `The store's secrets are encrypted with key ${keyId}; the given key is ${given}.`,
  );
}

export async function lacksKey({ secretForms }: Store, keys: SecretKeys): Promise<boolean> {
  const { keyId, sealed } = await secretForms.read();
  const needed = [...Object.keys(sealed), ...(keyId === null ? [] : [keyId])];
  return needed.some((id) => keys.every((key) => key.id !== id));
}

/** Rewrites a file without deleted data. Needs room for a copy. Throws store_unavailable after waiting 10 s. */
export function forgetDeleted(file: string): void {
  const connection = openConnection(file, { fileMustExist: true, timeout: lockWaitMsMax });
  try {
    connection.pragma("secure_delete = on");
    connection.exec("vacuum");
    const [row] = connection.pragma("wal_checkpoint(truncate)") as { busy: number }[];
    if (row?.busy === 0) return;
    throw failure(
      "store_unavailable",
      `The log of ${file} is in use by another program, and was not emptied.`,
    );
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    connection.close();
  }
}
