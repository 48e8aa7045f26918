import { createHmac } from "node:crypto";
import type { Hmac } from "./hmac.ts";

/** HMAC by Node. */
export const nodeHmac: Hmac = (hash, key, bytes) => createHmac(hash, key).update(bytes).digest();
