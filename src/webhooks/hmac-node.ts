import type { Hmac } from "./hmac.ts";

// Not imported: a bundler would make the import a `require`, which fails when the bundle is an ES module.
const { createHmac } = process.getBuiltinModule("node:crypto");

export const nodeHmac: Hmac = (hash, key, bytes) => createHmac(hash, key).update(bytes).digest();
