import { LRUCache } from "lru-cache";
import type { Clock } from "../../runtime/clock.ts";
import type { Handler } from "../handler.ts";
import type { FullAnswer } from "../http-answer.ts";
import type { IncomingRequest } from "../http-request.ts";
import { type RecordedRequest, toHar } from "./to-har.ts";

/** Of each body so many bytes are kept; a tenant's requests take so many, and so many tenants have some. */
const bodyBytesMax = 64 * 1024;
const bytesPerTenantMax = 2 * 1024 * 1024;
const tenantsMax = 20;
/** About what a request takes besides its bodies and headers. */
const requestBytes = 2048;

/** Records the requests to a sandbox server, in memory. */
export interface Recorder {
  /** A handler that does the same and is recorded. */
  record(handle: Handler): Handler;
  /** The requests of a tenant that are kept, as an HTTP Archive. */
  toArchive(tenantId: number): Promise<Uint8Array>;
  forget(): void;
}

interface Recording {
  requests: RecordedRequest[];
  bytes: number;
}

export function createRecorder(machineClock: Clock): Recorder {
  const recordings = new LRUCache<number, Recording>({ max: tenantsMax });
  const keep = (request: RecordedRequest, tenantId: number) => {
    const recording = recordings.get(tenantId) ?? { requests: [], bytes: 0 };
    recording.requests.push(request);
    recording.bytes += bytesOf(request);
    while (recording.bytes > bytesPerTenantMax) {
      const oldest = recording.requests.shift();
      recording.bytes -= oldest ? bytesOf(oldest) : recording.bytes;
    }
    recordings.set(tenantId, recording);
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
        const { caller } = incoming.client;
        const ms = performance.now() - begun;
        if (caller?.tenantId) keep({ ...toKept(incoming, body, answer), ms, startedOn }, caller.tenantId);
        return answer;
      };
      const answer = handle({ ...incoming, readBody }, onFault);
      return answer instanceof Promise ? answer.then(note) : note(answer);
    },
    toArchive: async (tenantId) => toHar(recordings.get(tenantId)?.requests ?? []),
    forget: () => recordings.clear(),
  };
}

function toKept({ headers, method, url }: IncomingRequest, body: Uint8Array | null, answer: FullAnswer) {
  return {
    request: { body: body && cut(body), bytes: body?.length ?? 0, headers, method, url },
    answer: { ...answer, body: cut(Buffer.from(answer.body)), bytes: Buffer.byteLength(answer.body) },
  };
}

/** A copy, so that a piece does not keep the whole. null for what is too long: half a JSON text is none. */
const cut = (bytes: Uint8Array) => (bytes.length > bodyBytesMax ? null : Uint8Array.from(bytes));

const bytesOf = ({ answer, request }: RecordedRequest) =>
  requestBytes +
  [request.url, ...Object.entries(request.headers).flat(), ...answer.head].join("").length +
  (request.body?.length ?? 0) +
  (answer.body?.length ?? 0);
