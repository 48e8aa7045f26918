import { Stopped } from "../../../sync/pace.ts";
import type { CliContext } from "../../context.ts";
import { AlreadyShown } from "../../outcome/already-shown.ts";
import { untilInterrupted, watchInterruption } from "../../outcome/interruption.ts";

/** Reads standard input, which may never end: an interruption ends it with `Stopped`. */
export async function* readStdin(context: CliContext): AsyncGenerator<Buffer | string> {
  try {
    yield* untilInterrupted(watchInterruption(context), chunksOf(context.stdin));
  } catch (error) {
    if (!(error instanceof AlreadyShown)) throw error;
    context.stdin.destroy();
    throw new Stopped();
  }
}

async function* chunksOf(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer | string> {
  yield* stream;
}
