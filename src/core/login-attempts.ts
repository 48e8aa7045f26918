import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { retryLater } from "../errors/errors.ts";

/** For one address within `periodMs`. */
const attemptsMax = 10;

const periodMs = 60_000;

/** Beyond this, the address with the oldest attempt is dropped. */
const addressesMax = 10_000;

/** Counts possible guesses of a token or password by address. */
export interface LoginAttempts {
  /** Counts an attempt. Throws too_many_failed_logins after ten in a minute; refused attempts do not count. */
  count(address: string): void;
}

/** Counts in memory, so each process has its own limit. `nowMs` must never go back. */
export function createLoginAttempts(nowMs: () => number = () => performance.now()): LoginAttempts {
  const attempts = new LRUCache<string, readonly number[]>({ max: addressesMax });
  return {
    count(address) {
      const client = toNetwork(address);
      const now = nowMs();
      const recent = (attempts.get(client) ?? []).filter((madeMs) => madeMs > now - periodMs);
      const [oldest = now] = recent;
      if (recent.length >= attemptsMax) {
        const seconds = Math.ceil((oldest + periodMs - now) / 1000);
        throw retryLater("too_many_failed_logins", tooMany(seconds), seconds);
      }
      attempts.set(client, [...recent, now]);
    },
  };
}

const tooMany = (seconds: number) =>
  `${attemptsMax} attempts to log in or to sign up from this address failed within a minute; the next is due in ${seconds} s.`;

/** An IPv4 address, or the /64 of an IPv6 address, because a provider assigns a whole /64 to each customer. */
function toNetwork(address: string): string {
  const [plain = ""] = address.split("%");
  if (!ipaddr.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
