import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { platform } from "node:os";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { toShellWord } from "../../runtime/shell-word.ts";

/** A configuration file as it was read: what it says, and who can read it. */
export interface ConfigFile {
  name: string;
  text: string;
  /** Others than its owner and group can read it. */
  isPublic: boolean;
}

/** A file has some twenty lines; it also has to fit into the environment of a process. */
const bytesMax = 64 * 1024;

/** Reads a file that nobody else may change. Throws a usage error. */
export function readConfigFile(name: string): ConfigFile {
  let bytes: Buffer;
  let mode: number;
  try {
    const file = openSync(name, "r");
    try {
      mode = fstatSync(file).mode;
      bytes = readAtMost(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw failure("usage", `${name} cannot be read: ${describeFileError(error, "there is no such file")}.`);
  }
  if (bytes.length > bytesMax)
    throw failure("usage", `${name} is no configuration: it has more than ${bytesMax / 1024} KiB.`);
  const hasModes = platform() !== "win32";
  if (hasModes && (mode & 0o002) !== 0)
    throw failure(
      "usage",
      `${name} is not used: everybody can change it. \`chmod o-w ${toShellWord(name)}\` mends that.`,
    );
  return { name, text: toText(name, bytes), isPublic: hasModes && (mode & 0o004) !== 0 };
}

function readAtMost(file: number): Buffer {
  const buffer = Buffer.alloc(bytesMax + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}

function toText(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw failure("usage", `${name} is no configuration: it is not text in UTF-8.`);
  }
}
