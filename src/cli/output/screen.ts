import { loadRuler, type Ruler, toCharacters } from "./ruler.ts";

/** What text is drawn on: its size, its ruler and its colours. Off a terminal it has no right edge. */
export interface Screen {
  isTerminal: boolean;
  columns: number;
  widthOf: Ruler;
  paint: Paint;
}

/** The few colours there are. Without colour each gives its text back. */
export interface Paint {
  bold: (text: string) => string;
  faint: (text: string) => string;
  accent: (text: string) => string;
  alarm: (text: string) => string;
  good: (text: string) => string;
  busy: (text: string) => string;
  /** What keys act on. */
  chosen: (text: string) => string;
}

/** Loads what measuring and colouring `text` (the JSON of an answer) need. `width` counts only on a terminal. */
export async function openScreen(
  text: string,
  options: { isTerminal: boolean; width: number; colour: boolean },
): Promise<Screen> {
  return {
    isTerminal: options.isTerminal,
    columns: options.isTerminal ? options.width : Number.POSITIVE_INFINITY,
    widthOf: await loadRuler(text),
    paint: await loadPaint(options.colour),
  };
}

/** The colours; the 16 of every terminal, so that they follow its theme. */
export async function loadPaint(colour: boolean): Promise<Paint> {
  if (!colour)
    return { bold: asIs, faint: asIs, accent: asIs, alarm: asIs, good: asIs, busy: asIs, chosen: asIs };
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  // Chalk joins all its arguments, so that `lines.map(chalk.bold)` would print the index as well.
  return {
    bold: (text) => chalk.bold(text),
    faint: (text) => chalk.dim(text),
    accent: (text) => chalk.cyan(text),
    alarm: (text) => chalk.red.bold(text),
    good: (text) => chalk.green(text),
    busy: (text) => chalk.yellow(text),
    chosen: (text) => chalk.inverse(text),
  };
}

/** The same screen, `indent` columns narrower. */
export function indentScreen(screen: Screen, indent: number): Screen {
  return { ...screen, columns: screen.columns - indent };
}

/** Text of at most this many columns; what is cut ends in `…`. */
export function cutText(text: string, columns: number, { widthOf }: Screen): string {
  if (widthOf(text) <= columns) return text;
  const [head = ""] = splitByWidth(text, columns - 1, widthOf);
  return `${head}…`;
}

/** Text in lines of at most this many columns, broken at spaces, and inside a word that is longer than a line. */
export function wrapText(text: string, columns: number, { widthOf }: Screen): string[] {
  if (widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((word) => splitByWidth(word, columns, widthOf))) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Text with spaces up to this many columns; `right` puts them before it. */
export function padText(text: string, columns: number, align: "left" | "right", { widthOf }: Screen): string {
  const spaces = " ".repeat(Math.max(0, columns - widthOf(text)));
  return align === "left" ? text + spaces : spaces + text;
}

function asIs(text: string): string {
  return text;
}

function splitByWidth(text: string, columns: number, widthOf: Ruler): string[] {
  if (widthOf(text) <= columns) return [text];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of toCharacters(text)) {
    const width = widthOf(character);
    if (piece !== "" && used + width > columns) {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += character;
    used += width;
  }
  return [...pieces, piece];
}
