import type { CliContext } from "../../context.ts";
import { createProgressLine } from "../../output/progress-line.ts";

/** How far an export is: a bar on a terminal when it is known how much there is, else a count. */
export interface ExportProgressLine {
  show(count: number): void;
  end(): void;
}

export function createExportProgress(
  context: CliContext,
  noun: string,
  total: number | null,
): ExportProgressLine {
  const line = createProgressLine(context);
  const isBar = Boolean(context.stderr.isTTY) && total !== null && total > 0;
  return {
    show(count) {
      const counted = total === null ? `${count} ${noun}` : `${count} of ${total} ${noun}`;
      line.show(isBar ? `${drawBar(count / total)}  ${counted}` : counted);
    },
    end: () => line.end(),
  };
}

const barColumns = 24;

/** A bar, filled to a part of 1, and the part in per cent. */
export function drawBar(part: number): string {
  const filled = Math.min(barColumns, Math.round(part * barColumns));
  const percent = String(Math.min(100, Math.floor(part * 100))).padStart(3);
  return `${"█".repeat(filled)}${"░".repeat(barColumns - filled)} ${percent} %`;
}
