/** Signs bytes with a key: HMAC with SHA-1 or SHA-256. */
export type Hmac = (hash: "sha1" | "sha256", key: Uint8Array, bytes: Uint8Array) => Uint8Array;
