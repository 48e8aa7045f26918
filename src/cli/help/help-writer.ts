import { foldHelp, formatTerm } from "./fold-help.ts";

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
