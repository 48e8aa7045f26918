import { readFileSync } from "node:fs";
import { failure } from "../errors.ts";
import type { World } from "./world.ts";

/** The bytes of a file, or of standard input for `-`. Throws a usage error when it cannot be read. */
export async function readBytes(world: World, file: string): Promise<Buffer> {
  if (file === "-") return readStdin(world);
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
}

/** Why a file cannot be used, in a few words; `missing` says what is not there. */
export function describeFileError(error: unknown, missing: string): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return missing;
  return code === "EISDIR" ? "it is a folder" : code;
}

/** The text of a file, or of standard input for `-`. */
export async function readText(world: World, file: string): Promise<string> {
  return (await readBytes(world, file)).toString("utf8");
}

async function readStdin({ stdin }: World): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
