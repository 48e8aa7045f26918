import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

// Not string-width and wrap-ansi: the emoji expression of the first takes a third of Node's own start. The truncation of
// fast-string-truncated-width counts wrong where scripts mix.

/** How many columns of a terminal a text takes; wide characters take two, colors none. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

// One column each: Latin, Greek, Cyrillic, and punctuation. Most texts need neither the library's expressions nor ICU.
const isPlain = (text: string) =>
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u20ac]*$/.test(
    text,
  );

/** The columns of the widest text; 0 for none. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0);
}

/** The characters of a text as people count them: an emoji, or a letter with its marks, is one. */
export function toCharacters(text: string): string[] {
  if (isPlain(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

let segmenter: Intl.Segmenter | undefined;

/** Text of at most this many columns; what is cut ends in `…`. */
export function cutText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = toCharacters(text);
  return `${characters.slice(0, countFitting(characters, columns - 1)).join("")}…`;
}

/** The end of a text, of at most this many columns; what is cut begins with `…`. */
export function cutStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = toCharacters(text).reverse();
  return `…${characters
    .slice(0, countFitting(characters, columns - 1))
    .reverse()
    .join("")}`;
}

function countFitting(characters: readonly string[], columns: number): number {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += widthOf(character);
    return used > columns;
  });
  return end === -1 ? characters.length : end;
}

/** Text in lines of at most this many columns, broken at spaces, and inside a word that is longer than a line. */
export function wrapText(text: string, columns: number): string[] {
  return widthOf(text) <= columns ? [text] : wrapAnsi(text, columns, { hard: true }).split("\n");
}

/**
 * A line of prose in lines of at most this many columns, with the margin of the first. What quotes or backticks hold
 * together stays on one line, so that a command can be copied. `hang` comes before the further lines, `end` after all but
 * the last.
 */
export function wrapProse(line: string, columns: number, { hang = "", end = "" } = {}): string[] {
  const [margin = ""] = /^ */.exec(line) ?? [];
  const room = columns - margin.length - hang.length - end.length;
  if (widthOf(line) <= columns || room < proseColumnsMin) return [line];
  const bound = line
    .trimStart()
    .replace(/`[^`]*`|"[^"]*"/g, (words) => (words.length <= room ? words.replaceAll(" ", glue) : words));
  const lines = wrapAnsi(bound, room).replaceAll(glue, " ").split("\n");
  return lines.map(
    (text, index) => `${margin}${index === 0 ? "" : hang}${text}${index < lines.length - 1 ? end : ""}`,
  );
}

/** Where less fits into a line, the terminal breaks it. */
const proseColumnsMin = 20;

/** Stands for a space at which no line is broken. */
const glue = "\ue000";

/** Parts in lines of at most this many columns, as many to a line as fit. */
export function packLines(parts: readonly string[], separator: string, columns: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${separator}${part}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** Text with spaces up to this many columns; `right` puts them before it. */
export function padText(text: string, columns: number, align: "left" | "right" = "left"): string {
  const spaces = " ".repeat(Math.max(0, columns - widthOf(text)));
  return align === "left" ? text + spaces : spaces + text;
}
