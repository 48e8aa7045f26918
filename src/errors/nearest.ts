import { closest, distance } from "fastest-levenshtein";

/** null if no known word is close. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const nearest = closest(word, known);
  // A typo differs in at most a third of the letters.
  return distance(word, nearest) <= Math.ceil(word.length / 3) ? nearest : null;
}

/** The end of a sentence; empty if no known word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}
