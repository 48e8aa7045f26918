import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { failure } from "../errors/errors.ts";

/** What is read of one answer at most. A page of 1,000 jobs, each as large as a body may be, has less. */
const answerBytesMax = 64 * 1024 * 1024;

/** What is read of a refusal at most: the text of an error is short, also when it lists 1,000 violations. */
const refusalBytesMax = 1024 * 1024;

/** An answer whose body is still to be read. */
export interface UnreadAnswer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array>;
}

/** The most that is read of an answer with a status, in bytes. */
function bytesMaxOf(status: number): number {
  return status >= 300 ? refusalBytesMax : answerBytesMax;
}

/**
 * Reads the body of an answer as it was sent. Throws answer_too_large and closes the connection as soon as more arrives
 * than an answer may have: a server cannot make this program take up memory without end.
 */
export async function readSent(url: string, { body, headers, statusCode }: UnreadAnswer): Promise<Buffer> {
  const bytesMax = bytesMaxOf(statusCode);
  const promised = Number(headers["content-length"] ?? 0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // To throw out of the loop ends the stream, and with it the connection.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax || promised > bytesMax) throw tooLarge(url, bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
    if (error instanceof RangeError) throw tooLarge(url, bytesMax);
    throw failure("target_unreachable", `${url} answers what cannot be unpacked (${coding}).`, null, error);
  }
}

const unpackers: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(gunzip),
};

function tooLarge(url: string, bytesMax: number) {
  const megabytes = bytesMax / 1024 / 1024;
  return failure("answer_too_large", `${url} answers with more than ${megabytes} MiB.`);
}
