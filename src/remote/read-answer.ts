import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { failure } from "../errors/errors.ts";
import { bytesMaxOf, readBounded, TooLongError } from "../runtime/read-bounded.ts";

/** An answer whose body is still to be read. */
export interface UnreadAnswer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array>;
}

/** Reads the body of an answer as it was sent. Throws answer_too_large. */
export async function readSent(url: string, { body, headers, statusCode }: UnreadAnswer): Promise<Buffer> {
  try {
    const length = Number(headers["content-length"] ?? 0);
    return Buffer.from((await readBounded(body, bytesMaxOf(statusCode), length)).buffer);
  } catch (error) {
    throw error instanceof TooLongError ? tooLarge(url, error) : error;
  }
}

/**
 * Reads the body of an answer and takes its content coding off, which a proxy may have added unasked. Throws
 * answer_too_large also when it is what is packed that has too much, before that is unpacked; target_unreachable for what
 * cannot be unpacked.
 */
export async function readAnswer(url: string, answer: UnreadAnswer): Promise<Buffer> {
  const sent = await readSent(url, answer);
  const coding = String(answer.headers["content-encoding"] ?? "identity").toLowerCase();
  if (coding === "identity") return sent;
  const unpack = Object.hasOwn(unpackers, coding) ? unpackers[coding] : undefined;
  if (!unpack) throw failure("target_unreachable", `${url} answers in the content coding "${coding}".`);
  const bytesMax = bytesMaxOf(answer.statusCode);
  try {
    return await unpack(sent, { maxOutputLength: bytesMax });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(url, new TooLongError(bytesMax));
    throw failure("target_unreachable", `${url} answers what cannot be unpacked (${coding}).`, null, error);
  }
}

const unpackers: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(gunzip),
};

function tooLarge(url: string, { message }: TooLongError) {
  return failure("answer_too_large", `${url} answers with ${message}.`);
}
