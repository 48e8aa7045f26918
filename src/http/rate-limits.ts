import { LRUCache } from "lru-cache";
import type { RateLimit } from "../core/server-factory.ts";
import { retryLater } from "../errors/errors.ts";
import type { Client } from "./http-request.ts";

/** How many tokens are counted; the one that asked longest ago is forgotten first, and has all its requests again. */
const tokensMax = 10_000;

/** Less of a request than this is an error of rounding. */
const roundingMax = 0.001;

/** Bounds the requests of each token (OP-90): so many at once, and a second so many come back. */
export interface RateLimits {
  /** The RateLimit-Policy header of every limited answer. */
  readonly policy: string;
  /** Counts a request for the token, unless none is left; says which, and tells the client what is left. */
  takes(tokenId: number, client: Client): boolean;
  /** The same. Throws rate_limited when none is left. */
  take(tokenId: number, client: Client): void;
  /** Counts one more that is made in any case: who has none left owes it. */
  owe(tokenId: number, client: Client): void;
}

/**
 * Counts in the memory of this process: several processes at one address count each for itself. `nowMs` tells the time on
 * any scale that never goes back.
 */
export function createRateLimits(
  { burst, perSecond }: RateLimit,
  nowMs: () => number = () => performance.now(),
): RateLimits {
  /** When each token's requests will all have come back: one number is the whole bucket. */
  const fullAtMs = new LRUCache<number, number>({ max: tokensMax });
  const eachMs = 1000 / perSecond;
  /** Counts a request, with `isMade` also where none is left; gives for how many milliseconds there is none. */
  const count = (tokenId: number, client: Client, isMade = false): number => {
    const now = nowMs();
    const fullAt = Math.max(now, fullAtMs.get(tokenId) ?? now);
    const left = burst - (fullAt - now) / eachMs;
    const isCounted = isMade || left > 1 - roundingMax;
    const leftAfter = isCounted ? left - 1 : left;
    if (isCounted) fullAtMs.set(tokenId, fullAt + eachMs);
    const waitMs = Math.max(0, 1 - leftAfter) * eachMs;
    client.quota = toQuota(Math.floor(leftAfter + roundingMax), toSeconds(waitMs));
    return isCounted ? 0 : waitMs;
  };
  return {
    policy: `"token";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    takes: (tokenId, client) => count(tokenId, client) === 0,
    owe: (tokenId, client) => void count(tokenId, client, true),
    take(tokenId, client) {
      const waitMs = count(tokenId, client);
      if (waitMs === 0) return;
      const detail = `This token has ${perSecond} requests a second, and ${burst} at once at most; the next is due in ${toSeconds(waitMs)} s.`;
      throw retryLater("rate_limited", detail, toSeconds(waitMs));
    },
  };
}

/** Whole seconds, because Retry-After takes no others. */
const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000 - roundingMax));

/** The RateLimit header (draft-ietf-httpapi-ratelimit-headers-10): `t` is when one comes back, where none is left. */
function toQuota(left: number, seconds: number): string {
  return left > 0 ? `"token";r=${left}` : `"token";r=0;t=${seconds}`;
}
