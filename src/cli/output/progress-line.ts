import { type CliContext, sizeOf } from "../context.ts";
import { cutText } from "./fit-text.ts";
import { tell } from "./tell.ts";
import { toVisible } from "./text.ts";

/** On a terminal one line that changes, else a line every few seconds. */
export interface ProgressLine {
  show(text: string): void;
  end(): void;
}

const betweenLinesMs = 5000;

export function createProgressLine({ stderr }: Pick<CliContext, "stderr">): ProgressLine {
  // Short work writes nothing into a log.
  let shownAt = stderr.isTTY ? Number.NEGATIVE_INFINITY : performance.now();
  let isOpen = false;
  return {
    show(text) {
      const now = performance.now();
      if (stderr.isTTY) {
        if (now - shownAt < 50) return;
        stderr.write(`\r\u001b[K${cutText(toVisible(text), sizeOf(stderr).columns - 1)}`);
        isOpen = true;
      } else {
        if (now - shownAt < betweenLinesMs) return;
        tell(stderr, text);
      }
      shownAt = now;
    },
    end() {
      if (isOpen) stderr.write("\r\u001b[K");
      isOpen = false;
    },
  };
}

/** `part` is from 0 to 1. */
export function drawBar(part: number): string {
  const filled = Math.min(barColumns, Math.round(part * barColumns));
  const percent = String(Math.min(100, Math.floor(part * 100))).padStart(3);
  return `${"█".repeat(filled)}${"░".repeat(barColumns - filled)} ${percent} %`;
}

const barColumns = 24;
