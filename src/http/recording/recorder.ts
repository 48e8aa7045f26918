import { LRUCache } from "lru-cache";
import type { AnsweredRequest } from "../../core/serving.ts";
import { getRequest, tailRequests } from "../../operations/requests.ts";
import type { Clock, Timestamp } from "../../runtime/clock.ts";
import type { Handler } from "../handler.ts";
import type { FullAnswer } from "../http-answer.ts";
import type { Client, IncomingRequest, KnownCaller } from "../http-request.ts";

/** Of each body so many bytes are kept; a tenant's requests take so many, and so many tenants have some. */
const bodyBytesMax = 64 * 1024;
const bytesPerTenantMax = 2 * 1024 * 1024;
const tenantsMax = 20;
/** About what a request takes besides its bodies and headers. */
const requestBytes = 2048;

/** A request as it came and as it was answered, secrets and all: whoever tells of it masks them. */
export interface RecordedRequest {
  startedOn: Timestamp;
  ms: number;
  request: {
    method: string;
    url: string;
    headers: Readonly<Record<string, string | undefined>>;
    /** Without its coding; null where there is none, and where it is too long. */
    body: Uint8Array | null;
    bytes: number;
  };
  answer: {
    status: number;
    /** Names and values in turn. */
    head: readonly string[];
    /** null where it is too long. */
    body: Uint8Array | null;
    bytes: number;
    isDropped?: true;
  };
  /** What the trail tells of it, once it is over. */
  answered: AnsweredRequest | null;
}

/** Records the requests of known callers in memory, but for their looks at the requests themselves. */
export interface Recorder {
  /** A handler that does the same and is recorded. */
  record(handle: Handler): Handler;
  /** Learns what the trail tells of a request, once it is over. */
  finish(client: Client, answered: AnsweredRequest): void;
  /** The requests of a tenant that are kept, oldest first. */
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

/** A copy, so that a piece does not keep the whole. null for what is too long: half a JSON text is none. */
const cut = (body: Uint8Array | string) =>
  Buffer.byteLength(body) > bodyBytesMax ? null : Uint8Array.from(Buffer.from(body));

const bytesOf = ({ answer, request }: RecordedRequest) =>
  requestBytes +
  [request.url, ...Object.entries(request.headers).flat(), ...answer.head].join("").length +
  (request.body?.length ?? 0) +
  (answer.body?.length ?? 0);

const looks: ReadonlySet<string> = new Set([getRequest.name, tailRequests.name]);

/** Whether a request looks at the requests themselves: a follower would otherwise see mostly itself. */
export const isLook = ({ operation }: Pick<KnownCaller, "operation">): boolean => looks.has(operation);
