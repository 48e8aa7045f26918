import { toDialled, toPlainText, toPlainWords } from "./plain-text.ts";

/** A word that records are searched by. */
export interface SearchTerm {
  text: string;
  /** Whether it is a phone number as it is dialled. */
  isPhone: boolean;
  /** Whether words that are like it count too. */
  isNear: boolean;
}

/** From how many digits on they may be a phone number. */
const phoneDigitsMin = 7;
const termsMax = 8;

/**
 * The ways in which a query may be meant: as words, and with its digits as one phone number, whatever stands between them
 * (`(202) 555-0100`, `555 0100`).
 */
export function toTermLists(query: string): SearchTerm[][] {
  const words = toPlainWords(toPlainText(query)).slice(0, termsMax);
  if (words.length === 0) return [];
  const asWords = words.map(toWord);
  const run = words.filter((word) => /^\d+$/.test(word));
  const dialled = toDialled(run.join(""));
  if (dialled.length < phoneDigitsMin) return [asWords];
  const others = words.filter((word) => !run.includes(word)).map(toWord);
  return [[...others, { text: dialled, isPhone: true, isNear: false }], asWords];
}

const toWord = (text: string): SearchTerm => ({ text, isPhone: false, isNear: false });
