import { padText, wrapText } from "./fit-text.ts";
import type { Screen } from "./screen.ts";
import { toVisible } from "./text.ts";

/** A label and what stands beside it; a text may have lines of its own. */
export interface Line {
  label: string;
  text: string;
  isFaint?: boolean;
}

const gap = 2;
/** The fewest columns of a text, however narrow the screen is. */
const textColumnsMin = 20;

/** Draws labels and texts as two columns; `labelColumns` is the width of the widest label. */
export function drawLines(lines: readonly Line[], labelColumns: number, screen: Screen): string[] {
  return lines.flatMap((line) => drawLine(line, labelColumns, screen));
}

function drawLine({ label, text, isFaint = false }: Line, labelColumns: number, screen: Screen): string[] {
  const { faint } = screen.paint;
  const columns = Math.max(textColumnsMin, screen.columns - labelColumns - gap);
  const lines = text.split(/\r?\n/).flatMap((line) => wrapText(toVisible(line), columns));
  return lines.map((line, index) => {
    const head = padText(index === 0 ? faint(toVisible(label)) : "", labelColumns + gap);
    return `${head}${isFaint ? faint(line) : line}`.trimEnd();
  });
}

/** Lines some columns to the right. */
export function indentLines(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => " ".repeat(columns) + line);
}
