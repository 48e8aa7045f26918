import { readFileSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";
import type { CliContext } from "../context.ts";

/** `-` is standard input. Throws a usage error. */
export async function readBytes(context: CliContext, file: string): Promise<Buffer> {
  if (file === "-") return readStdin(context);
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
}

export async function readText(context: CliContext, file: string): Promise<string> {
  return (await readBytes(context, file)).toString("utf8");
}

async function readStdin({ stdin }: CliContext): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
