import { wrapProse } from "../output/fit-text.ts";

/** Beyond this a line of prose is hard to follow with the eye (OP-253). */
export const helpColumnsMax = 100;

/**
 * Folds the lines of a help text that are too long for a screen: prose at its spaces, under the place where it began, and
 * command lines as a shell takes them, with a backslash.
 */
export function foldHelp(text: string, columns: number): string {
  return text
    .split("\n\n")
    .map((part) => (isTooLong(part, columns) ? foldPart(part, columns) : part))
    .join("\n\n");
}

const isTooLong = (part: string, columns: number) => part.split("\n").some((line) => line.length > columns);

/** A paragraph is written anew, so that it has no short lines among long ones; all else is folded line by line. */
function foldPart(part: string, columns: number): string {
  const lines = part.split("\n");
  const isProse = lines.every((line) => line === "" || /^[^\s-]/.test(line)) && !part.includes(":\n");
  if (!isProse) return lines.map((line) => foldLine(line, columns)).join("\n");
  const [, before = "", prose = "", after = ""] = /^(\n*)(.*?)(\n*)$/s.exec(part) ?? [];
  return before + foldLine(prose.replaceAll("\n", " "), columns) + after;
}

function foldLine(line: string, columns: number): string {
  const isCommand = /^\s+dispatch-cli /.test(line);
  return wrapProse(line, columns, isCommand ? { hang: "  ", end: " \\" } : {}).join("\n");
}

/** A term and what it means, beside each other where the screen has room for both, else below. */
export function formatTerm(term: string, termColumns: number, meaning: string, columns: number): string {
  const at = Math.min(termColumns, termColumnsMax) + 4;
  if (meaning === "") return `  ${term}`;
  const isBeside = term.length + 4 <= at && columns - at >= meaningColumnsMin;
  const indent = " ".repeat(isBeside ? at : 6);
  const [first = "", ...rest] = wrapProse(meaning, columns - indent.length);
  const lines = isBeside
    ? [`  ${term.padEnd(at - 2)}${first}`, ...rest.map((line) => indent + line)]
    : [`  ${term}`, ...[first, ...rest].map((line) => indent + line)];
  return lines.join("\n");
}

const termColumnsMax = 30;
const meaningColumnsMin = 36;

/** Writes help for a screen: paragraphs, and terms with what they mean, wrapped to its width. */
export interface HelpWriter {
  paragraph(text: string): string;
  terms(entries: readonly (readonly [term: string, meaning: string])[]): string;
}

/** A writer for a screen of this many columns. */
export function createHelpWriter(columns: number): HelpWriter {
  return {
    paragraph: (text) => `${foldHelp(text, columns)}\n`,
    terms: (entries) => {
      const width = Math.max(0, ...entries.map(([term]) => term.length));
      return entries.map(([term, meaning]) => `${formatTerm(term, width, meaning, columns)}\n`).join("");
    },
  };
}
