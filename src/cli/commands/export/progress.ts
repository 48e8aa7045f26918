import type { CliContext } from "../../context.ts";
import { drawBar } from "../../output/draw-bar.ts";
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
