import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { type Coding, codings, toCodedTag } from "../core/precondition.ts";
import { type FullAnswer, type HttpAnswer, type IncomingRequest, toFullAnswer } from "./http-messages.ts";

/** Below this, compression costs more than it saves. */
const codedBytesMin = 1024;

export function finishAnswer(
  answer: HttpAnswer,
  { headers, method }: Pick<IncomingRequest, "headers" | "method">,
): FullAnswer | Promise<FullAnswer> {
  const coding = chooseCoding(headers["accept-encoding"], answer);
  if (coding === null) return toFullAnswer(answer, method);
  return encode(answer, coding).then((coded) => toFullAnswer(coded, method));
}

export function chooseCoding(acceptEncoding: string | undefined, answer: HttpAnswer): Coding | null {
  if (acceptEncoding === undefined || !isCompressible(answer)) return null;
  const acceptable = rankCodings(acceptEncoding);
  // A client that accepts no known coding gets the plain response (RFC 9110, 12.5.3).
  const isPlainBetter = answer.body.length < codedBytesMin && acceptable.includes("identity");
  const [best = "identity"] = isPlainBetter ? [] : acceptable;
  return codings.find((coding) => coding === best) ?? null;
}

function isCompressible({ body, headers }: HttpAnswer): boolean {
  return (
    body.length > 0 &&
    /^(?:application\/(?:(?:[\w.]+\+)?json$|openmetrics-text)|text\/|image\/svg)/.test(
      headers["content-type"] ?? "",
    )
  );
}

/** Clients send few different headers, and parsing one takes 3 µs. */
function rankCodings(acceptEncoding: string): readonly string[] {
  const known = ranked.get(acceptEncoding);
  if (known) return known;
  // The package's types lack the option.
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }) as {
    encodings(available: string[], options: { preferred: string[] }): string[];
  };
  const acceptable = negotiator.encodings([...codings, "identity"], { preferred: [...codings] });
  if (ranked.size >= rankedMax) ranked.clear();
  ranked.set(acceptEncoding, acceptable);
  return acceptable;
}

const ranked = new Map<string, readonly string[]>();
const rankedMax = 100;

/** Compresses in libuv's thread pool. A compressed response has its own entity tag (RFC 9110, 8.8.3.3). */
export async function encode(answer: HttpAnswer, coding: Coding): Promise<HttpAnswer> {
  const { body, headers } = answer;
  const coded = await compress[coding](body);
  const { etag } = headers;
  return {
    ...answer,
    headers: { ...headers, ...(etag && { etag: toCodedTag(etag, coding) }), "content-encoding": coding },
    body: coded,
  };
}

const compress: Record<Coding, (body: Uint8Array | string) => Promise<Uint8Array>> = {
  // The default quality, 11, takes a hundred times as long and saves 10 % of the bytes.
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body) => promisify(gzip)(body),
};
