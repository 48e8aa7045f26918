import { LRUCache } from "lru-cache";
import type { RateLimit } from "../core/server-factory.ts";
import { retryLater } from "../errors/errors.ts";
import type { Client } from "./http-messages.ts";

/** An evicted token gets all its requests back. */
const tokensMax = 10_000;

/** Smaller differences are rounding errors. */
const roundingMax = 0.001;

export interface RateLimits {
  /** The RateLimit-Policy header. */
  readonly policy: string;
  /** Counts a request if one is left, and sets the client's quota. Returns whether it counted. */
  takes(tokenId: number, client: Client): boolean;
  take(tokenId: number, client: Client): void;
  /** Counts a request that runs in any case: the token may owe it. */
  owe(tokenId: number, client: Client): void;
}

/** Each process has its own limit. `nowMs` is a monotonic clock. */
export function createRateLimits(
  { burst, perSecond }: RateLimit,
  nowMs: () => number = () => performance.now(),
): RateLimits {
  /** The time when each token has all its requests back, which is all that the limit must know. */
  const fullAtMs = new LRUCache<number, number>({ max: tokensMax });
  const eachMs = 1000 / perSecond;
  /** Returns the milliseconds to wait; `isMade` counts in any case. */
  const count = (tokenId: number, client: Client, isMade = false): number => {
    if (client.isPart) return 0;
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

/** Retry-After has whole seconds. */
const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000 - roundingMax));

/** The RateLimit header (draft-ietf-httpapi-ratelimit-headers-10). `t`: the seconds until the next request. */
function toQuota(left: number, seconds: number): string {
  return left > 0 ? `"token";r=${left}` : `"token";r=0;t=${seconds}`;
}
