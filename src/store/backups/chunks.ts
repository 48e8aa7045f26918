import { closeSync, createReadStream, fstatSync, openSync } from "node:fs";
import { failure } from "../../errors/errors.ts";
import { describeFileError } from "../../errors/file-error.ts";

export type Chunks = AsyncIterable<Buffer>;

export const chunkBytes = 262_144;

export interface BackupSource {
  name: string;
  chunks: Chunks;
  close(): void;
}

export function openBackupFile(file: string): BackupSource {
  try {
    const opened = openSync(file, "r");
    if (fstatSync(opened).isDirectory()) {
      closeSync(opened);
      throw failure("usage", `${file} is a folder, not a backup.`);
    }
    const stream = createReadStream(file, { fd: opened, highWaterMark: chunkBytes });
    return { name: file, chunks: stream, close: () => void stream.destroy() };
  } catch (error) {
    if (!isOfSystem(error)) throw error;
    const reason = describeFileError(error, "there is no such file");
    throw failure("usage", `${file} cannot be read: ${reason}.`, null, error);
  }
}

export async function peek(chunks: Chunks, size: number): Promise<{ start: Buffer; chunks: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  for (let bytes = 0; bytes < size; ) {
    const next = await iterator.next();
    if (next.done) break;
    read.push(next.value);
    bytes += next.value.length;
  }
  async function* again() {
    yield* read;
    read.length = 0;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { start: Buffer.concat(read).subarray(0, size), chunks: again() };
}

export async function* count(chunks: Chunks, report: (passed: number, chunk: Buffer) => void) {
  let passed = 0;
  for await (const chunk of chunks) {
    passed += chunk.length;
    report(passed, chunk);
    yield chunk;
  }
}

export const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "";

export const isOfSystem = (error: unknown) =>
  error instanceof Error && "errno" in error && /^E[A-Z]/.test(codeOf(error));
