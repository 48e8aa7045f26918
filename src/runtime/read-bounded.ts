/** Larger than a page of 1,000 jobs with bodies of the largest size. */
const answerBytesMax = 64 * 1024 * 1024;

/** Larger than an error with 1,000 violations. */
const refusalBytesMax = 1024 * 1024;

export function bytesMaxOf(status: number): number {
  return status >= 300 ? refusalBytesMax : answerBytesMax;
}

export class TooLongError extends Error {
  constructor(bytesMax: number) {
    super(`more than ${bytesMax / 1024 / 1024} MiB`);
  }
}

/** Throws TooLongError and closes the connection above `bytesMax`, so that a server cannot exhaust the memory. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  contentLength: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // A throw in the loop ends the stream and its connection.
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
