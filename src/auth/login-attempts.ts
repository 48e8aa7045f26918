import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { retryLater } from "../errors/errors.ts";

/** How many attempts a client address has within `periodMs`. */
const attemptsMax = 10;

const periodMs = 60_000;

/** How many addresses are remembered; the one that tried longest ago is forgotten first. */
const addressesMax = 10_000;

/** Counts what might be a guess of a token or a password, by the address that it comes from. */
export interface LoginAttempts {
  /**
   * Counts a failed login, or a use of a password before it is looked at. Throws too_many_failed_logins when the address
   * had ten within the last minute; such a refusal counts for nothing, so that the tenth of a client that tries on is due
   * within a minute all the same.
   */
  count(address: string): void;
}

/**
 * Counts in the memory of this process: several processes at one address count each for itself. `nowMs` tells the time on
 * any scale that never goes back.
 */
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

/**
 * Who an address stands for: an IPv4 address for itself, one of IPv6 for its /64, which is what one customer of a provider
 * gets, so that nobody has 2^64 tries.
 */
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
