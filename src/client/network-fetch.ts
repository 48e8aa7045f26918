import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Agent, request } from "undici";
import { DispatchError } from "../errors/dispatch-error.ts";
import { bytesMaxOf, readBounded, TooLongError } from "../runtime/read-bounded.ts";
import { type Fetch, type FetchAnswer, toAnswerHeaders } from "./call-types.ts";
import { toServerError, toUnreachableError } from "./refusal.ts";

export interface Network {
  fetch: Fetch;
  /** Aborts running requests. */
  close(): Promise<void>;
}

/** Opens no connection yet. With `takesTurns`, each request opens its own, which spreads requests over processes. */
export function openNetwork({ takesTurns = false } = {}): Network {
  const agent = new Agent({
    bodyTimeout: 60_000,
    connectTimeout: 10_000,
    headersTimeout: 60_000,
    ...(takesTurns && { pipelining: 0 }),
  });
  return {
    async fetch(url, { body, headers, method, signal }): Promise<FetchAnswer> {
      const answer = await request(url, {
        dispatcher: agent,
        headers,
        method: method as "GET",
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      const shown = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
      const sent = { headers: toAnswerHeaders(shown), status: answer.statusCode };
      const coding = sent.headers.get("content-encoding")?.toLowerCase() ?? "identity";
      if (coding === "identity") return { ...sent, body: answer.body };
      return { ...sent, body: await unpack(new URL(url).origin, coding, { ...sent, body: answer.body }) };
    },
    close: () => agent.destroy(),
  };
}

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ["br", promisify(brotliDecompress)],
  ["deflate", promisify(inflate)],
  ["gzip", promisify(gunzip)],
]);

/** Decodes a content coding that a proxy may have added. The limit stops a few bytes that expand to gigabytes. */
async function unpack(
  url: string,
  coding: string,
  { body, headers, status }: Omit<FetchAnswer, "body"> & { body: AsyncIterable<Uint8Array> },
): Promise<Uint8Array> {
  const decode = unpackers.get(coding);
  if (!decode) throw toUnreachableError(`${url} answers in the content coding "${coding}".`);
  const maxOutputLength = bytesMaxOf(status);
  const tooLarge = ({ message }: TooLongError) =>
    toServerError("answer_too_large", `${url} answers with ${message}.`, { headers, status });
  try {
    const bytes = await readBounded(body, maxOutputLength, Number(headers.get("content-length") ?? 0));
    return await decode(bytes, { maxOutputLength });
  } catch (error) {
    if (error instanceof DispatchError) throw error;
    if (error instanceof TooLongError) throw tooLarge(error);
    if (error instanceof RangeError) throw tooLarge(new TooLongError(maxOutputLength));
    throw toUnreachableError(`${url} answers a body that cannot be decoded (${coding}).`, error);
  }
}
