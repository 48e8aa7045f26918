import type { Fonts, Run, Weight } from "./fonts.ts";
import { wrapText } from "./wrap.ts";

/** Marks that belong together, and the height they take; a layout is blocks made of blocks. All in points. */
export interface Block {
  height: number;
  marks: readonly Mark[];
}

/** Something drawn. `x` counts from the page's left edge, `top` from that of the block. */
export type Mark = TextMark | RuleMark | BoxMark;

/** One line of text; each run's `x` counts from the line's. */
export interface TextMark extends Place {
  kind: "text";
  style: TextStyle;
  runs: readonly PlacedRun[];
}

/** A horizontal line, as thick as its height. */
export interface RuleMark extends Place {
  kind: "rule";
  width: number;
}

/** The outline of a square. */
export interface BoxMark extends Place {
  kind: "box";
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

/** Puts blocks beside one another, their tops on one line; their columns keep them apart. */
export function beside(...blocks: readonly Block[]): Block {
  return {
    height: Math.max(...blocks.map((block) => block.height)),
    marks: blocks.flatMap((block) => block.marks),
  };
}

/** Cuts a block that is higher than `height` so that the first part is not, and no mark is divided. */
export function cut(block: Block, height: number): [Block, Block] {
  const beyond = block.marks.filter((mark) => mark.top + mark.height > height);
  const edge = Math.min(block.height, ...beyond.map((mark) => mark.top));
  const rest = block.marks.filter((mark) => mark.top >= edge);
  return [
    { height: edge, marks: block.marks.filter((mark) => mark.top < edge) },
    { height: block.height - edge, marks: rest.map((mark) => ({ ...mark, top: mark.top - edge })) },
  ];
}

function placeRuns(runs: readonly Run[], size: number): PlacedRun[] {
  let end = 0;
  return runs.map((run) => {
    const x = end;
    end += run.width * size;
    return { ...run, x };
  });
}
