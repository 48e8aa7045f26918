import { Writable } from "node:stream";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { CliContext } from "../context.ts";

/**
 * Standard output as a stream of bytes: nothing is written faster than its reader takes it, and a reader that goes away is
 * an error, because what it has is not whole. Throws a usage error on a terminal.
 */
export function openBinaryOutput({ host, stdout }: CliContext, what: string): Writable {
  if (stdout.isTTY)
    throw failure(
      "usage",
      `${what} is not written to a terminal. Lead it into a file (\`… - >file\`) or a program (\`… - | ssh …\`).`,
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
  const reason = error.code === "EPIPE" ? "who read it has ended" : describeFileError(error, "it is gone");
  return failure(
    "file_not_written",
    `${what} could not be written to standard output: ${reason}. Nothing of it can be used.`,
    null,
    error,
  );
}
