import { toVisible } from "../output/text.ts";

/** A word that may stand where the cursor is. */
export interface Candidate {
  value: string;
  /** What it is; empty where the word says it. */
  description: string;
}

/** What may follow: words, or the name of a file, which the shell completes itself. */
export type Candidates = readonly Candidate[] | "files";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** How bash asks: the characters that end a word besides white space, and whether it only lists. */
export interface BashState {
  breaks: string;
  listsOnly: boolean;
}

/** The lines that a shell's script reads: `files` or `words`, then a word each, in the shell's own form. */
export function toReplies(
  shell: Shell,
  candidates: Candidates,
  line: Pick<ShellLine, "current" | "quote">,
  bash: BashState,
): string[] {
  if (candidates === "files") return ["files"];
  const typed = line.current.toLowerCase();
  // Names are matched without regard to case.
  const fitting = candidates.filter(({ value }) => value.toLowerCase().startsWith(typed));
  return ["words", ...fitting.map((candidate) => toReply(shell, candidate, line, bash, fitting.length))];
}

function toReply(
  shell: Shell,
  { description, value }: Candidate,
  { current, quote }: Pick<ShellLine, "current" | "quote">,
  { breaks, listsOnly }: BashState,
  count: number,
): string {
  const text = toOneLine(description);
  if (shell === "fish") return text === "" ? value : `${value}\t${text}`;
  if (shell === "zsh") return value.replace(/[\\:]/g, "\\$&") + (text === "" ? "" : `:${text}`);
  const kept = quote === null ? value.slice(lastBreak(current, breaks)) : value;
  // Bash inserts only what all candidates have in common, which ends within their words: never a part of a description.
  if (count > 1 && listsOnly) return text === "" ? kept : `${kept}  (${text})`;
  return quote === null ? kept.replace(/[^\w@%+=:,./-]/g, "\\$&") : kept;
}

/** Bash replaces only what follows the last break of the word that is typed. */
function lastBreak(current: string, breaks: string): number {
  const marks = [...":=@"].filter((mark) => breaks.includes(mark));
  return Math.max(0, ...marks.map((mark) => current.lastIndexOf(mark) + 1));
}

const descriptionMax = 60;

function toOneLine(text: string): string {
  const line = toVisible(text.replace(/\s+/g, " ").trim());
  return line.length > descriptionMax ? `${line.slice(0, descriptionMax - 1)}…` : line;
}

/** A command line up to the cursor: its whole words, and the one that is being typed. */
export interface ShellLine {
  words: string[];
  /** Without its quotes; empty where a new word begins. */
  current: string;
  /** The quote that is still open in it. */
  quote: '"' | "'" | null;
}

/** Splits a line as shells do: at white space, with regard to quotes and backslashes. */
export function parseShellLine(line: string): ShellLine {
  const words: string[] = [];
  let current = "";
  let quote: ShellLine["quote"] = null;
  let isWord = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    const isEscape = character === "\\" && quote !== "'";
    if (isEscape) {
      at += 1;
      current += line[at] ?? "";
      isWord = true;
    } else if (quote !== null) {
      if (character === quote) quote = null;
      else current += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      isWord = true;
    } else if (/\s/.test(character)) {
      if (isWord) words.push(current);
      current = "";
      isWord = false;
    } else {
      current += character;
      isWord = true;
    }
  }
  return { words, current, quote };
}

/** The options of a line and their values, by the key that the parser would keep them under. */
export type Given = Readonly<Record<string, string>>;
