import { toDialled, toPlainText, toPlainWords } from "./plain-text.ts";

export interface SearchTerm {
  text: string;
  isPhone: boolean;
  isNear: boolean;
}

const phoneDigitsMin = 7;
const termsMax = 8;

/** Reads a query as words, and its digits as one phone number, whatever separates them (`(202) 555-0100`). */
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
