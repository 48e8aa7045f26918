import { parse } from "node:path";
import { Writable } from "node:stream";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import { writeNewPrivately, writePrivately } from "../../runtime/private-file.ts";
import type { CliContext, Screen } from "../context.ts";
import { tell } from "./tell.ts";

/** Waits for a slow reader, so that memory does not fill. */
export async function writeOut(screen: Screen, text: string | Uint8Array): Promise<void> {
  if (text.length === 0) return;
  if (screen.write(text) !== false || !screen.once) return;
  await new Promise<void>((resolve) => screen.once?.("drain", resolve));
}

/** Throws if the reader closes early, because the data is incomplete, and a usage error on a terminal. */
export function openBinaryOutput({ host, stdout }: CliContext, what: string): Writable {
  if (stdout.isTTY)
    throw failure(
      "usage",
      `${what} cannot be written to a terminal. Redirect it to a file (\`… - >file\`) or pipe it to a program (\`… - | ssh …\`).`,
    );
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (stdout.write(chunk) !== false || !stdout.once) return done();
      stdout.once("drain", () => done());
    },
  });
  host?.onOutputLost((error) => output.destroy(toLost(error, what)));
  return output;
}

function toLost(error: NodeJS.ErrnoException, what: string) {
  const reason =
    error.code === "EPIPE" ? "the reader closed the pipe" : describeFileError(error, "it is gone");
  return failure(
    "file_not_written",
    `${what} could not be written to standard output: ${reason}. The output is incomplete and cannot be used.`,
    null,
    error,
  );
}

/** Replaces the file of --out. Default: a new file, numbered if `name` exists. `-` and pipes mean stdout. */
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
