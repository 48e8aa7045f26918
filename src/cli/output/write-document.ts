import { parse } from "node:path";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { writeNewPrivately, writePrivately } from "../../runtime/private-file.ts";
import type { CliContext } from "../context.ts";
import { tell } from "./tell.ts";

/**
 * Writes a document to the file of --out, in the place of one that is there. Without --out it becomes a new file `name` in
 * this folder, with a number behind it where one is there; `-`, or no terminal, is standard output.
 */
export function writeDocument(context: CliContext, bytes: Uint8Array, name: string, out: unknown): void {
  if (out === "-" || (out === undefined && !context.stdout.isTTY)) return void context.stdout.write(bytes);
  const file = typeof out === "string" ? write(out, bytes) : writeBeside(name, bytes);
  tell(context.stderr, `written to ${file}`);
}

function write(file: string, bytes: Uint8Array): string {
  try {
    writePrivately(file, bytes);
    return file;
  } catch (error) {
    throw toUnwritable(file, error);
  }
}

function writeBeside(name: string, bytes: Uint8Array): string {
  const { name: stem, ext } = parse(name);
  for (let number = 1; ; number++) {
    const file = number === 1 ? name : `${stem}-${number}${ext}`;
    try {
      writeNewPrivately(file, bytes);
      return file;
    } catch (error) {
      if (!isTaken(error)) throw toUnwritable(file, error);
    }
  }
}

const isTaken = (error: unknown) => error instanceof Error && "code" in error && error.code === "EEXIST";

function toUnwritable(file: string, error: unknown) {
  const reason = describeFileError(error, "there is no such folder");
  return failure("usage", `${file} cannot be written: ${reason}.`, null, error);
}
