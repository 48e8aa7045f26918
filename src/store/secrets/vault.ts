import { failure } from "../../errors/errors.ts";
import { openSecret, type SecretPlace, sealSecret } from "./sealed-secret.ts";
import type { SecretKeys } from "./secret-keys.ts";

/** The metadata key of the id of the key that a store's secrets are encrypted with; plain stores have none. */
export const secretKeyMark = "secret_key_id";

/** Puts secrets into the form in which a store keeps them, and back. */
export interface Vault {
  keys: SecretKeys;
  /** The text of what is stored; null when it cannot be opened here. */
  open(place: SecretPlace, stored: string): string | null;
  /**
   * What writes secrets in the form in which the store keeps them now: read in the transaction that writes them. Throws
   * secret_key_missing when they are encrypted with a key that is not here.
   */
  sealer(): Promise<Sealer>;
}

/** `null` seals nothing: the store keeps plain text. */
export type Sealer = ((place: SecretPlace, text: string) => string) | null;

/** Makes the vault of a store with the keys of this process. */
export function createVault(
  keys: SecretKeys,
  metadata: { get(key: string): Promise<string | undefined> },
): Vault {
  return {
    keys,
    open: (place, stored) => openSecret(keys, place, stored),
    async sealer() {
      const keyId = await metadata.get(secretKeyMark);
      if (keyId === undefined) return null;
      const key = keys.find(({ id }) => id === keyId);
      if (!key) throw secretKeyMissing(keyId);
      return (place, text) => sealSecret(key, place, text);
    },
  };
}

/** The failure of what takes a key that is not here. */
export function secretKeyMissing(keyId: string | null = null) {
  const which = keyId === null ? "a key" : `key ${keyId}`;
  return failure(
    "secret_key_missing",
    `The secrets of this store's webhooks are encrypted with ${which} that this process was not given.`,
  );
}
