import { exitCodes } from "../../errors/errors.ts";
import type { CliContext } from "../context.ts";
import { createProgressLine } from "../output/progress-line.ts";
import { tell } from "../output/tell.ts";
import { AlreadyShown } from "./already-shown.ts";

/** Ctrl-C makes the next progress report throw, so that the work can clean up. `left`: what interrupted work leaves. */
export async function runLongWork<T>(
  context: CliContext,
  work: (progress: (text: string) => void) => Promise<T>,
  left = "nothing changed",
): Promise<T> {
  const line = createProgressLine(context);
  let isInterrupted = false;
  context.onInterrupt(() => {
    isInterrupted = true;
  });
  try {
    return await work((text) => {
      if (isInterrupted) throw new Error("Interrupted.");
      line.show(text);
    });
  } catch (error) {
    if (!isInterrupted) throw error;
    line.end();
    tell(context.stderr, `Interrupted; ${left}.`);
    throw new AlreadyShown(exitCodes.interrupted);
  } finally {
    line.end();
  }
}
