import { failure } from "../../errors/errors.ts";
import type { SecretKeys } from "../secrets/secret-keys.ts";
import type { Store } from "../store.ts";

/** Throws secret_key_wrong when keys were given, and the store's own is not among them. */
export async function checkSecretKeys(store: Store, keys: SecretKeys): Promise<void> {
  if (keys.length === 0) return;
  const keyId = await store.secretForms.keyId();
  if (keyId === null || keys.some(({ id }) => id === keyId)) return;
  const given = keys.map(({ id }) => id).join(", ");
  throw failure(
    "secret_key_wrong",
    `The store's secrets are encrypted with key ${keyId}; given was ${given}.`,
  );
}

/** Whether a process with these keys cannot open all secrets of a store, or write new ones. */
export async function lacksKey({ secretForms }: Store, keys: SecretKeys): Promise<boolean> {
  const { keyId, sealed } = await secretForms.read();
  const needed = [...Object.keys(sealed), ...(keyId === null ? [] : [keyId])];
  return needed.some((id) => keys.every((key) => key.id !== id));
}
