import { setImmediate } from "node:timers/promises";
import { drawBar } from "../../cli/commands/export/progress.ts";
import type { CliContext } from "../../cli/context.ts";
import { createProgressLine } from "../../cli/output/progress-line.ts";

/** Keeps long work interruptible and tells how far it is. */
export interface Pace {
  /** The user has asked to end. */
  readonly isStopped: boolean;
  /** Called between small pieces of work. Throws `Stopped` once the user has asked to end. */
  step(text: () => string): Promise<void>;
  /** The same for work that ends by itself when it is asked to; `part` of 1 is done. */
  stepOn(text: () => string, part?: number): Promise<void>;
  /** Leaves the terminal's line free. */
  end(): void;
}

/** The user has asked to end, and nothing was changed yet. */
export class Stopped extends Error {}

export function createPace(context: CliContext): Pace {
  const progress = createProgressLine(context);
  let isStopped = false;
  let restedAt = performance.now();
  // What takes a moment needs no telling.
  const shownFrom = restedAt + 1000;
  context.onInterrupt(() => {
    isStopped = true;
  });
  const stepOn = async (text: () => string, part?: number) => {
    if (performance.now() - restedAt < betweenRestsMs) return;
    // Work on a store is all promises; signals are heard only in between.
    await setImmediate();
    restedAt = performance.now();
    if (restedAt < shownFrom) return;
    progress.show(part !== undefined && context.stderr.isTTY ? `${drawBar(part)}  ${text()}` : text());
  };
  return {
    get isStopped() {
      return isStopped;
    },
    stepOn,
    async step(text) {
      await stepOn(text);
      if (isStopped) throw new Stopped();
    },
    end: () => progress.end(),
  };
}

const betweenRestsMs = 20;
