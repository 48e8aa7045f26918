import { scrypt } from "node:crypto";

/** OWASP's parameters for scrypt: a hash takes 32 MiB and about 0.1 s. */
const cost = { N: 2 ** 15, r: 8, p: 3 };

const keyBytes = 32;

/**
 * Returns `scrypt$N$r$p$salt$key` in base64url. Normalizes to NFKC, because keyboards encode characters differently.
 */
export async function hashPassword(
  { randomBytes }: { randomBytes(count: number): Uint8Array },
  password: string,
): Promise<string> {
  const salt = Buffer.from(randomBytes(16));
  const key = await deriveKey(password.normalize("NFKC"), salt);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  // The default of 32 MiB is slightly too small.
  const options = { ...cost, maxmem: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
