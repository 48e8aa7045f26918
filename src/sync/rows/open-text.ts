import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { Stopped } from "../pace.ts";
import type { RowWords } from "./row-file.ts";
import { malformed } from "./row-file.ts";

/** A byte order mark also selects UTF-8 and UTF-16. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "latin1"] as const;
export type Encoding = (typeof encodings)[number];

export interface TextOptions {
  encoding: Encoding;
  words: Pick<RowWords, "onWrongEncoding">;
}

export interface OpenText {
  /** Throws malformed_file for bytes that are invalid in the encoding. */
  chunks: AsyncIterable<Buffer>;
  /** The first 64 KiB. */
  head: string;
  /** The file was not plain UTF-8. */
  isConverted: boolean;
}

export type Bytes = AsyncIterable<Buffer | string>;

export interface OpenBytes {
  chunks: AsyncGenerator<Buffer>;
  head: Buffer;
}

/** `-` is standard input. Throws a usage error for an unreadable file. */
export async function openBytes(file: string, stdin: Bytes): Promise<OpenBytes> {
  const source = file === "-" ? stdin : createReadStream(file, { highWaterMark: headBytes });
  const bytes = readBytes(source, file);
  const head = await readHead(bytes);
  return { head, chunks: join(head, bytes) };
}

export async function openText(
  { chunks, head: first }: OpenBytes,
  name: string,
  { encoding, words }: TextOptions,
): Promise<OpenText> {
  const { label, mark } = detect(first, encoding);
  const rest = skip(chunks, mark);
  const decoded = label === "utf-8" ? checkUtf8(rest, name, words) : convert(rest, label, name);
  const head = await readHead(decoded);
  return {
    chunks: join(head, decoded),
    head: head.subarray(0, headBytes).toString("utf8"),
    isConverted: label !== "utf-8" || mark > 0,
  };
}

const headBytes = 64 * 1024;

async function* readBytes(source: Bytes, file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source) yield Buffer.from(chunk);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
}

async function readHead(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  const head: Buffer[] = [];
  let length = 0;
  while (length < headBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    head.push(value);
    length += value.length;
  }
  return Buffer.concat(head);
}

async function* join(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** The first chunk is longer than a byte order mark. */
async function* skip(chunks: AsyncGenerator<Buffer>, mark: number): AsyncGenerator<Buffer> {
  let left = mark;
  for await (const chunk of chunks) {
    yield chunk.subarray(left);
    left = 0;
  }
}

type Label = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** A byte order mark overrides an option. */
function detect(head: Buffer, encoding: Encoding): { label: Label; mark: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { label: "utf-8", mark: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { label: "utf-16le", mark: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { label: "utf-16be", mark: 2 };
  // Windows-1252 means the same, except where Latin-1 has control characters (https://encoding.spec.whatwg.org).
  return { label: encoding === "latin1" ? "windows-1252" : encoding, mark: 0 };
}

async function* convert(chunks: AsyncIterable<Buffer>, label: Label, name: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(label, { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return Buffer.from(chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch (error) {
      throw malformed(name, `it is not ${label.toUpperCase()}; save it as UTF-8.`, error);
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}

async function* checkUtf8(
  chunks: AsyncIterable<Buffer>,
  name: string,
  words: TextOptions["words"],
): AsyncGenerator<Buffer> {
  let line = 1;
  let carried: Buffer = Buffer.alloc(0);
  const check = (bytes: Buffer) => {
    if (!isUtf8(bytes))
      throw notUtf8(name, line + countLineEnds(bytes.subarray(0, findInvalid(bytes))), words);
    line += countLineEnds(bytes);
    return bytes;
  };
  for await (const chunk of chunks) {
    const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk;
    const end = lastWhole(bytes);
    carried = bytes.subarray(end);
    if (end > 0) yield check(bytes.subarray(0, end));
  }
  if (carried.length > 0) yield check(carried);
}

function notUtf8(name: string, line: number, { onWrongEncoding }: TextOptions["words"]) {
  return malformed(name, `line ${line} is not UTF-8; save it as UTF-8, or ${onWrongEncoding}.`);
}

/** The end of the last complete character. */
function lastWhole(bytes: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** No character spans lines, so each line is checked alone. */
function findInvalid(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(lineFeed, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return start;
    start = end + 1;
  }
}

const lineFeed = 10;

function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}
