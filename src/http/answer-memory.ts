import { LRUCache } from "lru-cache";
import type { Actor } from "../core/actor.ts";
import type { Service } from "../core/service.ts";
import { isLive } from "../core/tokens.ts";
import type { ApiVersion } from "../models/api-versions.ts";
import type { Token } from "../store/queries/tokens.ts";
import { accepts } from "./headers.ts";
import type { FullAnswer, HttpAnswer, IncomingRequest, KnownCaller } from "./http-messages.ts";
import type { RateLimits } from "./rate-limits.ts";
import { type TaggedAnswer, tagAnswer } from "./tagged-answer.ts";

export interface AnswerMemory {
  /** Returns a cached response if nothing that it depends on has changed and its token has requests left. */
  find(request: IncomingRequest): FullAnswer | Promise<FullAnswer> | undefined;
  /** Caches a response unless the store has no revision. Returns the form that the request accepts. */
  keep(request: IncomingRequest, made: MadeAnswer): FullAnswer | Promise<FullAnswer>;
}

/** A response to a read, and what decides it apart from the request. */
export interface MadeAnswer {
  actor: Actor;
  answer: HttpAnswer;
  common: Record<string, string>;
  operation: string;
  /** The tenant's revision before the caller was found. The response is at least as new. */
  revision: number | null;
  /** null for public operations. */
  token: Pick<Token, "created_on" | "expires_on" | "id" | "is_link" | "name" | "revoked_on"> | null;
  version: ApiVersion;
}

export function toKnownCaller(made: Pick<MadeAnswer, "actor" | "operation" | "version">): KnownCaller {
  const { actor, operation, version } = made;
  return { operation, tenantId: actor.scope.tenantId || null, userId: actor.user.id || null, version };
}

export interface CacheCounts {
  hits: number;
  misses: number;
  bytes: number;
}

interface AnswerMemoryOptions {
  answerBytesMax?: number;
  cacheCounts?: CacheCounts;
  rateLimits?: RateLimits;
}

interface KeptAnswer extends Omit<MadeAnswer, "answer" | "common"> {
  answer: TaggedAnswer;
  caller: KnownCaller;
}

/** An LRU cache limited by bytes. The key is the raw headers and address, so a hit needs no routing or caller. */
export function createAnswerMemory(
  { clock, store, usage }: Pick<Service, "clock" | "store" | "usage">,
  { answerBytesMax: bytesMax = bytesMaxDefault, cacheCounts, rateLimits }: AnswerMemoryOptions = {},
): AnswerMemory {
  const counts = cacheCounts ?? { hits: 0, misses: 0, bytes: 0 };
  const known = new LRUCache<string, KeptAnswer>({
    maxSize: Math.max(1, bytesMax),
    // A larger response would evict most others.
    maxEntrySize: Math.ceil(bytesMax / 8) || 1,
    sizeCalculation: ({ answer }, key) => answer.bytes() + key.length + entryBytes,
  });
  return {
    find(request) {
      if (!isPlainRead(request)) return undefined;
      const kept = known.get(toKey(request));
      if (!kept || kept.revision !== store.database.revision(kept.actor.scope.tenantId)) return undefined;
      if (kept.token && !isLive(kept.token, { clock })) return undefined;
      request.client.isKnown = kept.token !== null;
      if (kept.token) request.client.token = kept.token;
      // The token has no requests left: identification refuses the request, as for any other.
      if (kept.token && rateLimits?.takes(kept.token.id, request.client) === false) return undefined;
      request.client.caller = kept.caller;
      usage.note(kept.actor, kept.operation, kept.version);
      counts.hits += 1;
      return kept.answer.for(request);
    },
    keep(request, { answer, common, ...facts }) {
      counts.misses += 1;
      const key = toKey(request);
      const tagged = tagAnswer(answer, common, () => {
        // The response has grown, so the cache may evict others.
        if (known.peek(key) === kept) known.set(key, kept);
      });
      const kept = { ...facts, answer: tagged, caller: toKnownCaller(facts) };
      if (bytesMax > 0 && facts.revision !== null) known.set(key, kept);
      counts.bytes = known.calculatedSize;
      return tagged.for(request);
    },
  };
}

const bytesMaxDefault = 64 * 1024 * 1024;

/** The approximate memory of an entry without its texts. */
const entryBytes = 2048;

function isPlainRead({ headers, method }: IncomingRequest): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers["x-dry-run"] === undefined &&
    accepts(headers.accept, ["application/json"])
  );
}

/** All parts of a request that decide its response. Header values contain no line breaks. */
function toKey({ headers, url }: IncomingRequest): string {
  const { authorization, "x-api-version": version, "x-tenant-id": tenant } = headers;
  return `${authorization ?? absent}\n${tenant ?? absent}\n${version ?? absent}\n${url}`;
}

/** Differs from every header value, also the empty one. */
const absent = "\0";
