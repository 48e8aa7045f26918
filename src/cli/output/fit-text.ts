import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

// Not string-width and wrap-ansi: string-width's emoji expression takes a third of Node's start. Not cli-truncate: it
// imports string-width. Not fast-string-truncated-width for cutting: it miscounts mixed scripts.

/** In columns: wide characters take two, escape sequences none. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

// One column each: Latin, Greek, Cyrillic, and punctuation. Most texts need no library and no ICU.
const isPlain = (text: string) =>
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u20ac]*$/.test(
    text,
  );

export function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0);
}

/** Graphemes: an emoji, or a letter with its marks, is one. */
export function toCharacters(text: string): string[] {
  if (isPlain(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

let segmenter: Intl.Segmenter | undefined;

/** Ends with `…` if cut. */
export function cutText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = toCharacters(text);
  return `${characters.slice(0, countFitting(characters, columns - 1)).join("")}…`;
}

/** Starts with `…` if cut. */
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

/** Breaks at spaces, and inside words longer than a line. */
export function wrapText(text: string, columns: number): string[] {
  return widthOf(text) <= columns ? [text] : wrapAnsi(text, columns, { hard: true }).split("\n");
}

/** Never breaks inside quotes or backticks, so that users can copy commands. `hang` starts further lines. */
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

/** On a narrower terminal, the terminal wraps. */
const proseColumnsMin = 20;

/** Replaces a space that must not break. */
const glue = "\ue000";

/** As many parts per line as fit. */
export function packLines(parts: readonly string[], separator: string, columns: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${separator}${part}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

export function padText(text: string, columns: number, align: "left" | "right" = "left"): string {
  const spaces = " ".repeat(Math.max(0, columns - widthOf(text)));
  return align === "left" ? text + spaces : spaces + text;
}
