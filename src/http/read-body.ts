import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { DispatchError, failure } from "../errors/errors.ts";
import type { HttpRequest } from "./http-messages.ts";

const bodyBytesMax = 1024 * 1024;

/** Decodes at most 1 MiB. Throws body_too_large, unsupported_media_type, and malformed_request. */
export async function readBody(
  headers: HttpRequest["headers"],
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array> {
  const decode = findDecoder(headers["content-encoding"]);
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
    throw failure("malformed_request", "The body is incomplete.", null, error);
  }
  const sent = Buffer.concat(chunks);
  return decode && sent.length > 0 ? await decode(sent) : sent;
}

const tooLarge = () => failure("body_too_large", `The body has more than ${bodyBytesMax} bytes.`);

type Decode = (bytes: Buffer) => Promise<Uint8Array>;

const inflateZlib = promisify(inflate);
const inflateBare = promisify(inflateRaw);

type DecodeWithin = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Decode at most the size of a body, in libuv's thread pool, so that a few bytes cannot become gigabytes. */
const decoders: ReadonlyMap<string, DecodeWithin> = new Map<string, DecodeWithin>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  // HTTP's deflate is the zlib format, but some clients send the raw one (RFC 9110, 8.4.1.2).
  [
    "deflate",
    (bytes, options) => (isZlib(bytes) ? inflateZlib(bytes, options) : inflateBare(bytes, options)),
  ],
  ["br", promisify(brotliDecompress)],
]);

/** The Accept-Encoding header of a refusal. */
export const bodyCodings = "gzip, deflate, br";

function findDecoder(header: string | undefined): Decode | null {
  const coding = header?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return null;
  const decode = decoders.get(coding);
  if (!decode) {
    const shown = coding.length > 64 ? "that coding" : JSON.stringify(coding);
    const detail = `The body must be uncompressed or in one of the codings ${bodyCodings}, not in ${shown}.`;
    throw failure("unsupported_media_type", detail, "content-encoding");
  }
  return (bytes) =>
    decode(bytes, { maxOutputLength: bodyBytesMax }).catch((error: unknown) => {
      if (error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
        throw tooLarge();
      throw failure(
        "malformed_request",
        `The body is not in the coding ${coding}.`,
        "content-encoding",
        error,
      );
    });
}

function isZlib(bytes: Buffer): boolean {
  return bytes.length > 1 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
