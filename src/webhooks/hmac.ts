export type Hmac = (hash: "sha1" | "sha256", key: Uint8Array, bytes: Uint8Array) => Uint8Array;
