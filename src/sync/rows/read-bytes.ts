import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { Stopped } from "../target.ts";
import { malformed } from "./row-file.ts";

export type Bytes = AsyncIterable<Buffer | string>;

/** Reads a file, or standard input for `-`. Throws a usage error when it cannot be read. */
export async function readBytes(file: string, stdin: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of file === "-" ? stdin : (createReadStream(file) as Bytes))
      chunks.push(Buffer.from(chunk));
  } catch (error) {
    if (error instanceof Stopped) throw error;
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
  return Buffer.concat(chunks);
}

/** A byte order mark also selects UTF-8 and UTF-16. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "latin1"] as const;
export type Encoding = (typeof encodings)[number];

/** The text of a file. */
export interface Utf8Text {
  /** As UTF-8 without a byte order mark. */
  bytes: Buffer;
  /** The file was not plain UTF-8. */
  isConverted: boolean;
}

/** Converts bytes to UTF-8. Throws malformed_file for bytes that are invalid in the encoding. */
export function toUtf8(bytes: Buffer, name: string, encoding: Encoding): Utf8Text {
  const { label, mark } = detect(bytes, encoding);
  const text = bytes.subarray(mark);
  if (label !== "utf-8") return { bytes: decode(text, label, name), isConverted: true };
  if (isUtf8(text)) return { bytes: text, isConverted: mark > 0 };
  // No character spans lines, so each can be checked alone.
  const line = [...linesOf(text)].findIndex((one) => !isUtf8(one)) + 1;
  throw malformed(name, `line ${line} is not UTF-8; save it as UTF-8, or pass --encoding windows-1252.`);
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

function decode(bytes: Buffer, label: Label, name: string): Buffer {
  const decoder = new TextDecoder(label, { fatal: true });
  try {
    // Without `stream`, Node reads Windows-1252 as Latin-1.
    return Buffer.from(decoder.decode(bytes, { stream: true }) + decoder.decode());
  } catch (error) {
    throw malformed(name, `it is not ${label.toUpperCase()}; save it as UTF-8.`, error);
  }
}

const lineFeed = 10;

export function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(lineFeed, start);
    const end = at === -1 ? bytes.length : at;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}
