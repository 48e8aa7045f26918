import type { Fonts, Run, Weight } from "./fonts.ts";
import { wrapText } from "./wrap.ts";

/** Marks that move together, and their height. All in points. */
export interface Block {
  height: number;
  marks: readonly Mark[];
}

/** `x` counts from the left edge of the page, `top` from the top of the block. */
export type Mark = BoxMark | FillMark | PathMark | RuleMark | TextMark;

/** The `x` of each run counts from the start of the line. */
export interface TextMark extends Place {
  kind: "text";
  style: TextStyle;
  runs: readonly PlacedRun[];
}

export interface RuleMark extends Place {
  kind: "rule";
  width: number;
}

export interface BoxMark extends Place {
  kind: "box";
}

/** Points count from `x` and `top`. */
export interface PathMark extends Place {
  kind: "path";
  color: string;
  points: readonly { x: number; y: number }[];
  thickness: number;
}

/** A filled rectangle with a border, its corners rounded by `radius`. */
export interface FillMark extends Place {
  kind: "fill";
  border: string;
  color: string;
  radius: number;
  width: number;
}

interface Place {
  x: number;
  top: number;
  height: number;
}

interface PlacedRun extends Run {
  x: number;
}

/** How text looks; `leading` is the height of a line. */
export interface TextStyle {
  size: number;
  leading: number;
  weight: Weight;
  color: string;
}

/** A part of the page's width. */
export interface Column {
  x: number;
  width: number;
}

/** Text in a column, on as many lines as it needs. */
export function text(fonts: Fonts, content: string, style: TextStyle, { x, width }: Column): Block {
  const lines = wrapText(fonts, content, style.weight, width / style.size);
  return stack(
    ...lines.map((line): Block => {
      const runs = placeRuns(line, style.size);
      return {
        height: style.leading,
        marks: [{ kind: "text", x, top: 0, height: style.leading, style, runs }],
      };
    }),
  );
}

/** A line across a column. */
export function rule(thickness: number, { x, width }: Column): Block {
  return { height: thickness, marks: [{ kind: "rule", x, top: 0, height: thickness, width }] };
}

/** An empty square to tick. */
export function box(size: number, x: number): Block {
  return { height: size, marks: [{ kind: "box", x, top: 0, height: size }] };
}

/** Nothing, that high. */
export function gap(height: number): Block {
  return { height, marks: [] };
}

/** Puts blocks below one another. */
export function stack(...blocks: readonly Block[]): Block {
  const marks: Mark[] = [];
  let height = 0;
  for (const block of blocks) {
    for (const mark of block.marks) marks.push({ ...mark, top: mark.top + height });
    height += block.height;
  }
  return { height, marks };
}

/** Moves marks that were laid out at the page's left edge. */
export function shift(marks: readonly Mark[], x: number, top: number): Mark[] {
  return marks.map((mark) => ({ ...mark, top: mark.top + top, x: mark.x + x }));
}

/** Places blocks side by side with aligned tops; their columns separate them. */
export function beside(...blocks: readonly Block[]): Block {
  return {
    height: Math.max(...blocks.map((block) => block.height)),
    marks: blocks.flatMap((block) => block.marks),
  };
}

/**
 * Cuts a block into parts of at most `height`, from its top on, so that no mark is divided; the first may be given another
 * height than the rest. A mark that is higher than that is a part of its own. Takes as long as to sort the marks.
 */
export function cut(block: Block, firstHeight: number, height: number): Block[] {
  const edges = [0];
  let edge = 0;
  for (const mark of block.marks.toSorted((a, b) => a.top - b.top)) {
    const room = edges.length === 1 ? firstHeight : height;
    if (mark.top + mark.height <= edge + room || mark.top === edge) continue;
    edge = mark.top;
    edges.push(edge);
  }
  const parts = edges.map((top, index) => ({
    height: (edges[index + 1] ?? block.height) - top,
    marks: [] as Mark[],
  }));
  // Each part keeps the order of the marks: it is the one in which the page is read.
  for (const mark of block.marks) {
    const index = lastAtMost(edges, mark.top);
    parts[index]?.marks.push({ ...mark, top: mark.top - (edges[index] ?? 0) });
  }
  return parts;
}

/** The place of the last of some ascending numbers that is at most `limit`. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}

function placeRuns(runs: readonly Run[], size: number): PlacedRun[] {
  let end = 0;
  return runs.map((run) => {
    const x = end;
    end += run.width * size;
    return { ...run, x };
  });
}
