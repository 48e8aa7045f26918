/** The most bytes of one answer. A page of 1,000 jobs, each as large as a body may be, has fewer. */
const answerBytesMax = 64 * 1024 * 1024;

/** The most bytes of a refusal: the text of an error is short, even when it lists 1,000 violations. */
const refusalBytesMax = 1024 * 1024;

/** The most bytes of an answer with a status. */
export function bytesMaxOf(status: number): number {
  return status >= 300 ? refusalBytesMax : answerBytesMax;
}

/** A body has more bytes than its reader takes. */
export class TooLongError extends Error {
  constructor(bytesMax: number) {
    super(`more than ${bytesMax / 1024 / 1024} MiB`);
  }
}

/**
 * Reads a body to its end. Throws TooLongError, and closes the connection, as soon as the body is longer than `bytesMax`
 * or its Content-Length says so: a server cannot make this program take memory without end.
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  contentLength: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // A throw out of the loop ends the stream, and with it the connection.
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax || contentLength > bytesMax) throw new TooLongError(bytesMax);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.length;
  }
  return whole;
}
