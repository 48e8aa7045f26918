import { exitCodes } from "../../errors/errors.ts";
import type { CliContext } from "../context.ts";
import { createProgressLine } from "../output/progress-line.ts";
import { tell } from "../output/tell.ts";
import { AlreadyShown } from "./already-shown.ts";

/**
 * Runs work that reports its progress, and ends it on Ctrl-C: the next report then throws, and the work cleans up behind
 * itself. `left` tells the user in what state that leaves things.
 */
export async function runLongWork<T>(
  context: CliContext,
  work: (progress: (text: string) => void) => Promise<T>,
  left = "nothing was changed",
): Promise<T> {
  const line = createProgressLine(context);
  let isInterrupted = false;
  context.onInterrupt(() => {
    isInterrupted = true;
  });
  try {
    return await work((text) => {
      if (isInterrupted) throw new Error("The program was asked to end.");
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
