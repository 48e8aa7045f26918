import { wrapProse } from "../output/fit-text.ts";

/** Longer lines of prose are hard to read. */
export const helpColumnsMax = 100;

/** Prose keeps its indentation; a command line gets a backslash. */
export function foldHelp(text: string, columns: number): string {
  return text
    .split("\n\n")
    .map((part) => (isTooLong(part, columns) ? foldPart(part, columns) : part))
    .join("\n\n");
}

const isTooLong = (part: string, columns: number) => part.split("\n").some((line) => line.length > columns);

/** A paragraph is wrapped as a whole, other text line by line. */
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

/** On a narrow screen the meaning is below the term. */
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

/** Wraps texts to a width. */
export interface HelpWriter {
  paragraph(text: string): string;
  terms(entries: readonly (readonly [term: string, meaning: string])[]): string;
}

export function createHelpWriter(columns: number): HelpWriter {
  return {
    paragraph: (text) => `${foldHelp(text, columns)}\n`,
    terms: (entries) => {
      const width = Math.max(0, ...entries.map(([term]) => term.length));
      return entries.map(([term, meaning]) => `${formatTerm(term, width, meaning, columns)}\n`).join("");
    },
  };
}
