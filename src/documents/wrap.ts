import { type Fonts, joinRuns, type Run, type Weight, widthOf } from "./fonts.ts";

/**
 * Wraps text at spaces into lines of at most `width` (at a font size of 1). A word that is wider than a line
 * is broken between graphemes; nothing is cut. Line ends in the text are kept, but several blank lines print as one, and
 * none print before and after the text.
 */
export function wrapText(fonts: Fonts, text: string, weight: Weight, width: number): Run[][] {
  // Composed letters have glyphs of their own, which look better than letter and mark put together.
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

/** Soft hyphens, marks of direction and the like: they print as nothing, but would be copied as spaces. */
const shapeless = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]/gu;

/** The mandatory breaks of Unicode's line breaking algorithm (UAX 14). */
const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

function wrapParagraph(fonts: Fonts, paragraph: string, weight: Weight, width: number): Run[][] {
  const lines: Run[][] = [];
  let line: Run[] = [];
  let space: readonly Run[] = [];

  const place = (word: readonly Run[]): void => {
    if (widthOf(line) + widthOf(space) + widthOf(word) > width) {
      if (line.length > 0) lines.push(line);
      line = [];
      space = [];
    }
    // Words that are read from right to left and the space between them are one phrase (UAX 9, rule N1).
    const rightToLeft = line.at(-1)?.rightToLeft === true && word[0]?.rightToLeft === true;
    line = joinRuns([...line, ...space.map((run) => ({ ...run, rightToLeft })), ...word]);
    space = [];
  };

  for (const token of paragraph.match(/ +|[^ ]+/g) ?? []) {
    const runs = fonts.toRuns(token, weight);
    if (token.startsWith(" ")) space = runs;
    else if (widthOf(runs) <= width) place(runs);
    else for (const { segment } of graphemes.segment(token)) place(fonts.toRuns(segment, weight));
  }
  return [...lines, line];
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
