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
