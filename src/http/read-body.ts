import { DispatchError, failure } from "../errors/errors.ts";
import type { HttpRequest } from "./http-request.ts";

const bodyBytesMax = 1024 * 1024;

/** Reads a body of at most 1 MiB. Throws body_too_large, and malformed_request when it breaks off. */
export async function readBody(
  headers: HttpRequest["headers"],
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array> {
  const tooLarge = () => failure("body_too_large", `The body has more than ${bodyBytesMax} bytes.`);
  if (Number(headers["content-length"] ?? 0) > bodyBytesMax) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > bodyBytesMax) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DispatchError) throw error;
    throw failure("malformed_request", "The body ended before it was complete.", null, error);
  }
  return Buffer.concat(chunks);
}
