import { LRUCache } from "lru-cache";
import type { AnsweredRequest } from "../../core/serving.ts";
import { getRequest, tailRequests } from "../../operations/requests.ts";
import type { Clock, Timestamp } from "../../runtime/clock.ts";
import type { Handler } from "../handler.ts";
import type { Client, FullAnswer, IncomingRequest, KnownCaller } from "../http-messages.ts";

/** The limits of a body and of a tenant, and the number of tenants. */
const bodyBytesMax = 64 * 1024;
const bytesPerTenantMax = 2 * 1024 * 1024;
const tenantsMax = 20;
/** The approximate memory of a request, without bodies and headers. */
const requestBytes = 2048;

/** Includes secrets: the reader masks them. */
export interface RecordedRequest {
  startedOn: Timestamp;
  ms: number;
  request: {
    method: string;
    url: string;
    headers: Readonly<Record<string, string | undefined>>;
    /** Decoded; null for none, and for one that is too long. */
    body: Uint8Array | null;
    bytes: number;
  };
  answer: {
    status: number;
    head: readonly string[];
    body: Uint8Array | null;
    bytes: number;
    isDropped?: true;
  };
  /** Set after the end of the request. */
  answered: AnsweredRequest | null;
}

/** Records requests of known callers in memory, except reads of the recorded requests. */
export interface Recorder {
  record(handle: Handler): Handler;
  finish(client: Client, answered: AnsweredRequest): void;
  read(tenantId: number): readonly RecordedRequest[];
  forget(): void;
}

interface TenantRecording {
  requests: RecordedRequest[];
  bytes: number;
}

export function createRecorder(machineClock: Clock): Recorder {
  const underWay = new WeakMap<Client, RecordedRequest>();
  const byTenant = new LRUCache<number, TenantRecording>({ max: tenantsMax });
  const keep = (request: RecordedRequest, tenantId: number) => {
    const recording = byTenant.get(tenantId) ?? { requests: [], bytes: 0 };
    recording.requests.push(request);
    recording.bytes += bytesOf(request);
    while (recording.bytes > bytesPerTenantMax) {
      const oldest = recording.requests.shift();
      recording.bytes -= oldest ? bytesOf(oldest) : recording.bytes;
    }
    byTenant.set(tenantId, recording);
  };
  return {
    record: (handle) => (incoming, onFault) => {
      const begun = performance.now();
      const startedOn = machineClock.now();
      let body: Uint8Array | null = null;
      const readBody = async () => {
        body = await incoming.readBody();
        return body;
      };
      const note = (answer: FullAnswer) => {
        const { client } = incoming;
        if (!client.caller?.tenantId || isLook(client.caller)) return answer;
        const ms = performance.now() - begun;
        const recorded = { startedOn, ms, ...toKept(incoming, body, answer), answered: null };
        underWay.set(client, recorded);
        keep(recorded, client.caller.tenantId);
        return answer;
      };
      const answer = handle({ ...incoming, readBody }, onFault);
      return answer instanceof Promise ? answer.then(note) : note(answer);
    },
    finish: (client, answered) => {
      const recorded = underWay.get(client);
      if (recorded) recorded.answered = answered;
    },
    read: (tenantId) => byTenant.peek(tenantId)?.requests ?? [],
    forget: () => byTenant.clear(),
  };
}

function toKept(
  { headers, method, url }: IncomingRequest,
  body: Uint8Array | null,
  { body: answered, head, isDropped, status }: FullAnswer,
) {
  const answer = { status, head, body: cut(answered), bytes: Buffer.byteLength(answered) };
  return {
    request: { body: body && cut(body), bytes: body?.length ?? 0, headers, method, url },
    answer: { ...answer, ...(isDropped && { isDropped }) },
  };
}

/** Copies a body, because a slice would keep the whole. null for a long one: half a JSON text is useless. */
const cut = (body: Uint8Array | string) =>
  Buffer.byteLength(body) > bodyBytesMax ? null : Uint8Array.from(Buffer.from(body));

const bytesOf = ({ answer, request }: RecordedRequest) =>
  requestBytes +
  [request.url, ...Object.entries(request.headers).flat(), ...answer.head].join("").length +
  (request.body?.length ?? 0) +
  (answer.body?.length ?? 0);

const looks: ReadonlySet<string> = new Set([getRequest.name, tailRequests.name]);

/** The list of requests leaves these out, because a reader would see mostly its own requests. */
export const isLook = ({ operation }: Pick<KnownCaller, "operation">): boolean => looks.has(operation);
