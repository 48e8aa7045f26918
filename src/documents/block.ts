import type { Fonts, Run, Weight } from "./fonts.ts";
import { wrapText } from "./wrap.ts";

/** Marks that move together. All sizes are in points. */
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

/** `radius` rounds the corners. */
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

/** `leading` is the height of a line. */
export interface TextStyle {
  size: number;
  leading: number;
  weight: Weight;
  color: string;
}

export interface Column {
  x: number;
  width: number;
}

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

export function rule(thickness: number, { x, width }: Column): Block {
  return { height: thickness, marks: [{ kind: "rule", x, top: 0, height: thickness, width }] };
}

export function box(size: number, x: number): Block {
  return { height: size, marks: [{ kind: "box", x, top: 0, height: size }] };
}

export function gap(height: number): Block {
  return { height, marks: [] };
}

export function stack(...blocks: readonly Block[]): Block {
  const marks: Mark[] = [];
  let height = 0;
  for (const block of blocks) {
    for (const mark of block.marks) marks.push({ ...mark, top: mark.top + height });
    height += block.height;
  }
  return { height, marks };
}

export function shift(marks: readonly Mark[], x: number, top: number): Mark[] {
  return marks.map((mark) => ({ ...mark, top: mark.top + top, x: mark.x + x }));
}

/** Places blocks side by side with aligned tops. Their columns must not overlap. */
export function beside(...blocks: readonly Block[]): Block {
  return {
    height: Math.max(...blocks.map((block) => block.height)),
    marks: blocks.flatMap((block) => block.marks),
  };
}

/** Cuts a block into parts of at most `height` without dividing a mark. A higher mark forms its own part. */
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
  // Keep the order of the marks in each part: readers and screen readers follow it.
  for (const mark of block.marks) {
    const index = lastAtMost(edges, mark.top);
    parts[index]?.marks.push({ ...mark, top: mark.top - (edges[index] ?? 0) });
  }
  return parts;
}

/** The index of the last number that is at most `limit`; the numbers ascend. */
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
