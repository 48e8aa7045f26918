import { directionOf, toStretches, withoutIsolates } from "./direction.ts";
import { type Fonts, joinRuns, type Run, type Weight, widthOf } from "./fonts.ts";

/** Marks that move together. All sizes are in points. */
export interface Block {
  height: number;
  marks: readonly Mark[];
}

/** `x` counts from the left edge of the page, `top` from the top of the block. */
export type Mark = BoxMark | FillMark | PathMark | RuleMark | TextMark;

/** The `x` of each run counts from the start of the line. */
export interface TextMark extends BlockPlace {
  kind: "text";
  style: TextStyle;
  runs: readonly PlacedRun[];
}

export interface RuleMark extends BlockPlace {
  kind: "rule";
  width: number;
}

export interface BoxMark extends BlockPlace {
  kind: "box";
}

/** Points count from `x` and `top`. */
export interface PathMark extends BlockPlace {
  kind: "path";
  color: string;
  points: readonly { x: number; y: number }[];
  thickness: number;
}

/** `radius` rounds the corners. */
export interface FillMark extends BlockPlace {
  kind: "fill";
  border: string;
  color: string;
  radius: number;
  width: number;
}

interface BlockPlace {
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

/** Wraps at spaces, at font size 1; breaks long words between graphemes. Joins several blank lines. */
function wrapText(fonts: Fonts, text: string, weight: Weight, width: number): Run[][] {
  // A composed letter has its own glyph, which looks better than a letter with a mark.
  const printed = text.normalize("NFC").replace(shapeless, "").replaceAll("\t", "    ");
  return foldBlankLines(printed.split(lineEnd)).flatMap((paragraph) =>
    wrapParagraph(fonts, paragraph, weight, width),
  );
}

function foldBlankLines(paragraphs: readonly string[]): string[] {
  const isBlank = (paragraph: string | undefined) => paragraph === undefined || paragraph.trim() === "";
  const folded = paragraphs.filter((one, index) => !isBlank(one) || !isBlank(paragraphs[index - 1]));
  if (folded.length > 1 && isBlank(folded.at(-1))) folded.pop();
  return folded.length > 0 ? folded : [""];
}

/** Soft hyphens, direction marks, and the like print nothing, but would be copied as spaces. */
const shapeless = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]/gu;

/** The mandatory line breaks of Unicode (UAX 14). */
const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

function wrapParagraph(fonts: Fonts, paragraph: string, weight: Weight, width: number): Run[][] {
  const direction = directionOf(paragraph);
  const content = direction ? paragraph : withoutIsolates(paragraph);
  const lines: Line[] = [emptyLine()];
  let space = emptyLine();

  const place = (text: string, runs: readonly Run[]): void => {
    const word = { runs, text, width: widthOf(runs) };
    const line = lines.at(-1);
    if (line && line.width + space.width + word.width <= width) addTo(line, space, word);
    else if (line?.width === 0) addTo(line, word);
    else lines.push(addTo(emptyLine(), word));
    space = emptyLine();
  };

  for (const token of content.match(/ +|[^ ]+/g) ?? []) {
    const runs = fonts.toRuns(withoutIsolates(token), weight);
    if (token.startsWith(" ")) space = { runs: [...runs], text: token, width: widthOf(runs) };
    else if (widthOf(runs) <= width) place(token, runs);
    else for (const { segment } of graphemes.segment(token)) place(segment, fonts.toRuns(segment, weight));
  }
  if (direction === null) return lines.map(({ runs }) => joinRuns(runs));
  return lines.map(({ text }) =>
    toStretches(text, direction).flatMap((stretch) =>
      fonts.toRuns(stretch.text, weight, stretch.rightToLeft),
    ),
  );
}

/** A line in reading order, with its runs as if all were from left to right. */
interface Line {
  runs: Run[];
  text: string;
  width: number;
}

const emptyLine = (): Line => ({ runs: [], text: "", width: 0 });

function addTo(line: Line, ...parts: readonly (Omit<Line, "runs"> & { runs: readonly Run[] })[]): Line {
  for (const { runs, text, width } of parts) {
    line.runs.push(...runs);
    line.text += text;
    line.width += width;
  }
  return line;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
