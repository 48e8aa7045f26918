import { toVisible } from "../output/text.ts";

export interface Candidate {
  value: string;
  /** Empty if the word explains itself. */
  description: string;
}

/** The shell itself completes file names. */
export type Candidates = readonly Candidate[] | "files";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** The characters that end a word, and whether bash only lists. */
export interface BashState {
  breaks: string;
  listsOnly: boolean;
}

/** `files` or `words`, then one candidate per line. */
export function toReplies(
  shell: Shell,
  candidates: Candidates,
  line: Pick<ShellLine, "current" | "quote">,
  bash: BashState,
): string[] {
  if (candidates === "files") return ["files"];
  const typed = line.current.toLowerCase();
  // Match without regard to case.
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
  // bash inserts the common prefix of all candidates, which must not reach into a description.
  if (count > 1 && listsOnly) return text === "" ? kept : `${kept}  (${text})`;
  return quote === null ? kept.replace(/[^\w@%+=:,./-]/g, "\\$&") : kept;
}

/** bash replaces only the text after the last break. */
function lastBreak(current: string, breaks: string): number {
  const marks = [...":=@"].filter((mark) => breaks.includes(mark));
  return Math.max(0, ...marks.map((mark) => current.lastIndexOf(mark) + 1));
}

const descriptionMax = 60;

function toOneLine(text: string): string {
  const line = toVisible(text.replace(/\s+/g, " ").trim());
  return line.length > descriptionMax ? `${line.slice(0, descriptionMax - 1)}…` : line;
}

/** The words before the cursor, and the current word. */
export interface ShellLine {
  words: string[];
  /** Without quotes; empty at the start of a word. */
  current: string;
  /** The open quote in the current word. */
  quote: '"' | "'" | null;
}

/** Splits at white space, with quotes and backslashes. */
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

/** The options of a line by the parser's key. */
export type Given = Readonly<Record<string, string>>;
