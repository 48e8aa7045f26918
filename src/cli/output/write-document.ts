import { writeFileSync } from "node:fs";
import type { PrintedFile } from "../../core/operation.ts";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { CliContext } from "../context.ts";

/** Writes a document to the file of --out, by default its own name; `-`, or no terminal, is standard output. */
export function writeDocument(context: CliContext, { bytes, fileName }: PrintedFile, out: unknown): void {
  if (out === "-" || (out === undefined && !context.stdout.isTTY)) return void context.stdout.write(bytes);
  const file = typeof out === "string" ? out : fileName;
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    const reason = describeFileError(error, "there is no such folder");
    throw failure("usage", `${file} cannot be written: ${reason}.`, null, error);
  }
  context.stderr.write(`written to ${file} (${bytes.length} bytes)\n`);
}
