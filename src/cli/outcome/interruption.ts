import { exitCodes } from "../../errors/errors.ts";
import type { CliContext } from "../context.ts";
import { AlreadyShown } from "./already-shown.ts";

/** Ctrl-C during work that may stop at any time. */
export interface Interruption {
  /** Throws when the user interrupts (exit code 130). */
  during<T>(work: Promise<T>): Promise<T>;
  /** Throws when the user interrupts. */
  wait(ms: number): Promise<void>;
}

/** From now on Ctrl-C does not end the program, so the caller must wait through the returned object. */
export function watchInterruption(context: Pick<CliContext, "onInterrupt">): Interruption {
  const end = () => new AlreadyShown(exitCodes.interrupted);
  // A single promise for all races would keep their results in memory.
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

/** Ends when the user interrupts. */
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
