import { hmac } from "@noble/hashes/hmac.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Hmac } from "./hmac.ts";

/** HMAC without Node. The browser's own HMAC is asynchronous. */
export const portableHmac: Hmac = (hash, key, bytes) => hmac(hash === "sha1" ? sha1 : sha256, key, bytes);
