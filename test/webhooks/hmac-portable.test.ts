import { createHmac, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { portableHmac } from "../../src/webhooks/hmac-portable.ts";

it.each(["sha1", "sha256"] as const)(
  "computes the HMAC of Node by %s, for keys and texts of any length",
  (hash) => {
    const lengths = [...Array.from({ length: 200 }, (_, length) => length), 1000, 65_536, 1_000_001];
    for (const length of lengths)
      for (const keyLength of [1, 32, 63, 64, 65, 200]) {
        const [key, bytes] = [randomBytes(keyLength), randomBytes(length)];
        const expected = createHmac(hash, key).update(bytes).digest("hex");
        expect(Buffer.from(portableHmac(hash, key, bytes)).toString("hex")).toBe(expected);
      }
  },
);
