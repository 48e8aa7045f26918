import { directionOf, toStretches, withoutIsolates } from "./direction.ts";
import { type Fonts, joinRuns, type Run, type Weight, widthOf } from "./fonts.ts";

/** Wraps at spaces, at font size 1; breaks long words between graphemes. Joins several blank lines. */
export function wrapText(fonts: Fonts, text: string, weight: Weight, width: number): Run[][] {
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
