import type { Hmac } from "./hmac.ts";

// Not imported: a bundler would turn the import into `require`, which fails in an ES module.
const { createHmac } = process.getBuiltinModule("node:crypto");

export const nodeHmac: Hmac = (hash, key, bytes) => createHmac(hash, key).update(bytes).digest();
