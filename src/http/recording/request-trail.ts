import { LRUCache } from "lru-cache";
import type { AnsweredRequest, FoundRequest, ListedRequest } from "../../core/serving.ts";
import type { Timestamp } from "../../runtime/clock.ts";
import { abortedStatus, type FinishedRequest } from "../finished-request.ts";
import type { Client, KnownCaller } from "../http-messages.ts";
import { isLook, type RecordedRequest, type Recorder } from "./recorder.ts";
import { toContents, toQuery } from "./to-contents.ts";

export const requestsMax = 500;
const tenantsMax = 100;

export interface RequestTrail {
  note(request: FinishedRequest, client: Client, answeredOn: Timestamp): void;
  /** With a text, only requests that contain it in the path, query, or a body, as shown without secrets. */
  readHere(tenantId: number, after: Readonly<Record<string, number>> | null, text: string | null): TrailPage;
  /** The newest request with the id; null if this process does not know it. */
  findHere(tenantId: number, requestId: string): FoundRequest | null;
}

export interface TrailPage {
  /** Names the process among the server's processes. */
  name: string;
  requests: ListedRequest[];
  next: number;
  missed: number;
}

interface Ring {
  requests: AnsweredRequest[];
  first: number;
}

export function createRequestTrail(name: string, recorder: Recorder | null): RequestTrail {
  const rings = new LRUCache<number, Ring>({ max: tenantsMax });
  const readRecorded = (tenantId: number) => recorder?.read(tenantId) ?? [];
  return {
    note(finished, client, answeredOn) {
      const { caller, token } = client;
      const tenantId = caller?.tenantId;
      if (!tenantId || isLook(caller)) return;
      const answered = toAnsweredRequest(finished, { ...caller, tenantId }, token?.name ?? null, answeredOn);
      recorder?.finish(client, answered);
      const ring = rings.get(tenantId) ?? { requests: [], first: 0 };
      ring.requests.push(answered);
      // Removes half of the list at once, because each removal moves the other entries.
      if (ring.requests.length >= 2 * requestsMax) {
        ring.requests.splice(0, requestsMax);
        ring.first += requestsMax;
      }
      rings.set(tenantId, ring);
    },
    readHere(tenantId, cursor, text) {
      const after = cursor && (cursor[name] ?? 0);
      const { first, requests } = rings.get(tenantId) ?? { first: 0, requests: [] };
      const next = first + requests.length;
      const from = Math.max(after ?? 0, next - requestsMax, first);
      const recorded = new Map(readRecorded(tenantId).map((one) => [one.answered, one]));
      return {
        name,
        requests: requests
          .slice(from - first)
          .filter((request) => text === null || hasText(request, recorded.get(request), text.toLowerCase()))
          .map((request) => toListed(request, recorded.get(request))),
        next,
        missed: after === null ? 0 : Math.max(0, from - after),
      };
    },
    findHere(tenantId, requestId) {
      const wanted = requestId.toLowerCase();
      const isWanted = (request: AnsweredRequest | null) => request?.request_id.toLowerCase() === wanted;
      const recorded = readRecorded(tenantId).findLast(({ answered }) => isWanted(answered));
      const answered = recorded?.answered ?? rings.get(tenantId)?.requests.findLast(isWanted);
      return answered ? { answered, contents: recorded ? toContents(recorded) : null } : null;
    },
  };
}

function toListed(request: AnsweredRequest, recorded: RecordedRequest | undefined): ListedRequest {
  return { ...request, is_recorded: recorded !== undefined, query: recorded ? toQuery(recorded) : null };
}

function hasText({ path }: AnsweredRequest, recorded: RecordedRequest | undefined, wanted: string): boolean {
  const contents = recorded && toContents(recorded);
  const texts = [path, contents?.query, contents?.request.body, contents?.answer.body];
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

function toAnsweredRequest(
  { code, duration_ms, method, path, request_id, status, token_id, user_id }: FinishedRequest,
  { operation, tenantId, version }: KnownCaller & { tenantId: number },
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
    code,
    tenant_id: tenantId,
    user_id,
    token_id,
    token_name: tokenName,
  };
}
