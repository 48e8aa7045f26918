import { LRUCache } from "lru-cache";
import type { AnsweredPage, AnsweredRequest, AnsweredRequests } from "../core/serving.ts";
import { failure } from "../errors/errors.ts";
import { tailRequests } from "../operations/requests/tail-requests.ts";
import type { Timestamp } from "../runtime/clock.ts";
import { abortedStatus, type FinishedRequest } from "./finished-request.ts";
import type { Client, KnownCaller } from "./http-request.ts";

/** How many requests of a tenant are known, and of how many tenants. */
const requestsMax = 500;
const tenantsMax = 100;

/** Keeps the last requests of each tenant in memory. */
export interface RequestTrail {
  /** Notes a request whose caller was found to act in a tenant; no other, and not the looks at the requests themselves. */
  note(request: FinishedRequest, client: Client, answeredOn: Timestamp): void;
  readHere(tenantId: number, after: number | null): HerePage;
  /** Names this process among those that serve together. */
  name: string;
}

/** What one process knows; `next` is the number of the next request of the tenant. */
export interface HerePage {
  requests: AnsweredRequest[];
  next: number;
  missed: number;
}

interface Ring {
  requests: AnsweredRequest[];
  /** The number of the first of them. */
  first: number;
}

export function createRequestTrail(name: string): RequestTrail {
  const rings = new LRUCache<number, Ring>({ max: tenantsMax });
  return {
    name,
    note(finished, { caller, token }, answeredOn) {
      const tenantId = caller?.tenantId;
      if (!tenantId || caller.operation === tailRequests.name) return;
      const ring = rings.get(tenantId) ?? { requests: [], first: 0 };
      ring.requests.push(toAnsweredRequest(finished, caller, token?.name ?? null, answeredOn));
      // Cut by half, so that a request costs no move of all the others.
      if (ring.requests.length >= 2 * requestsMax) {
        ring.requests.splice(0, requestsMax);
        ring.first += requestsMax;
      }
      rings.set(tenantId, ring);
    },
    readHere(tenantId, after) {
      const { first, requests } = rings.get(tenantId) ?? { first: 0, requests: [] };
      const next = first + requests.length;
      const from = Math.max(after ?? 0, next - requestsMax, first);
      return {
        requests: requests.slice(from - first),
        next,
        missed: after === null ? 0 : Math.max(0, from - after),
      };
    },
  };
}

function toAnsweredRequest(
  { duration_ms, method, path, request_id, status, token_id }: FinishedRequest,
  { operation, version }: KnownCaller,
  tokenName: string | null,
  answeredOn: Timestamp,
): AnsweredRequest {
  return {
    request_id,
    answered_on: answeredOn,
    method: method ?? "",
    path: path ?? "",
    status: status === abortedStatus ? -1 : status,
    duration_ms: duration_ms ?? 0,
    operation,
    version,
    token_id,
    token_name: tokenName,
  };
}

/** What a process is asked for by those that serve with it. */
export type AskPeers = (tenantId: number, after: Readonly<Record<string, number>>) => Promise<PeerPage[]>;

export interface PeerPage extends HerePage {
  name: string;
}

/** Reads what this process and its peers know, in the order of the answers. */
export function toAnsweredRequests(trail: RequestTrail, askPeers: AskPeers): AnsweredRequests {
  return {
    async read(tenantId, text) {
      const after = text === null ? null : parseCursor(text);
      const here = { ...trail.readHere(tenantId, after && (after[trail.name] ?? 0)), name: trail.name };
      return joinPages([here, ...(await askPeers(tenantId, after ?? {}))], after);
    },
  };
}

function joinPages(pages: readonly PeerPage[], after: Readonly<Record<string, number>> | null): AnsweredPage {
  const requests = pages.flatMap((page) => page.requests);
  requests.sort((a, b) => (a.answered_on < b.answered_on ? -1 : a.answered_on > b.answered_on ? 1 : 0));
  // A process that does not answer now may do so the next time.
  const next = { ...after, ...Object.fromEntries(pages.map((page) => [page.name, page.next])) };
  return {
    requests: after === null ? requests.slice(-requestsMax) : requests,
    cursor: Object.entries(next)
      .map(([name, number]) => `${name}.${number}`)
      .join("-"),
    missed: pages.reduce((sum, page) => sum + page.missed, 0),
  };
}

function parseCursor(text: string): Record<string, number> {
  const parts = text.split("-").map((part) => /^([0-9a-f]{8})\.(\d{1,15})$/.exec(part));
  if (parts.every((part) => part !== null))
    return Object.fromEntries(parts.map(([, name = "", number]) => [name, Number(number)]));
  throw failure("unknown_reference", "after: this is no cursor of an earlier answer.", "after");
}
