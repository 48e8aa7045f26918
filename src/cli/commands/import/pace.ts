import { setImmediate } from "node:timers/promises";
import { type Pace, Stopped } from "../../../sync/target.ts";
import type { CliContext } from "../../context.ts";
import { createProgressLine, drawBar } from "../../output/progress-line.ts";

export interface ShownPace extends Pace {
  readonly isStopped: boolean;
  /** For work that stops on its own when asked; `part` is the finished share. */
  stepOn(text: () => string, part?: number): Promise<void>;
  end(): void;
}

export function createPace(context: CliContext): ShownPace {
  const progress = createProgressLine(context);
  let isStopped = false;
  let restedAt = performance.now();
  // Short work shows no progress.
  const shownFrom = restedAt + 1000;
  context.onInterrupt(() => {
    isStopped = true;
  });
  const stepOn = async (text: () => string, part?: number) => {
    if (performance.now() - restedAt < betweenRestsMs) return;
    // Work on a store only resolves promises, but Node handles signals between turns of the event loop.
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
