import { closest, distance } from "fastest-levenshtein";

/** Finds the known word behind a typo; null when none is close. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const nearest = closest(word, known);
  // Differences in more than a third of the letters are not a typo.
  return distance(word, nearest) <= Math.ceil(word.length / 3) ? nearest : null;
}

/** The end of a sentence; empty when no known word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}
