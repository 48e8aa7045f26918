import { exitCodes } from "../../errors/errors.ts";
import type { CliContext } from "../context.ts";
import { AlreadyShown } from "./already-shown.ts";

/** Whether somebody has asked the program to end (Ctrl-C), for work that may be left at any moment. */
export interface Interruption {
  /** The outcome of some work; throws what ends the command with 130 as soon as its end is asked for. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Waits, for as long as nobody asks for the end. */
  wait(ms: number): Promise<void>;
}

/** From now on Ctrl-C does not end the program by itself: who calls this must wait by it. */
export function watchInterruption(context: Pick<CliContext, "onInterrupt">): Interruption {
  const end = () => new AlreadyShown(exitCodes.interrupted);
  // Not a promise to race against: it would keep the outcome of all work that was ever waited for.
  const leaving = new Set<() => void>();
  let isAsked = false;
  context.onInterrupt(() => {
    isAsked = true;
    for (const leave of leaving) leave();
  });
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(end());
    });
    leaving.add(leave);
    if (isAsked) leave();
    return Promise.race([left, work]).finally(() => leaving.delete(leave));
  };
  return {
    during,
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      const passed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await during(passed).finally(() => clearTimeout(timer));
    },
  };
}

/** Items of a stream, until the end is asked for. */
export async function* untilInterrupted<T>(
  interruption: Interruption,
  items: AsyncGenerator<T>,
): AsyncGenerator<T> {
  while (true) {
    const next = await interruption.during(items.next());
    if (next.done) return;
    yield next.value;
  }
}
