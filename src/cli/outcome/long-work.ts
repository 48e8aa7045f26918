import { exitCodes } from "../../errors/errors.ts";
import type { CliContext } from "../context.ts";
import { createProgressLine } from "../output/progress-line.ts";
import { AlreadyShown } from "./already-shown.ts";

/**
 * Runs work that shows how far it is and ends when the program is asked to: the next word of its progress throws then, and
 * the work cleans up behind itself. `left` says in what state things are then.
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
    context.stderr.write(`Interrupted; ${left}.\n`);
    throw new AlreadyShown(exitCodes.interrupted);
  } finally {
    line.end();
  }
}
