import { closest, distance } from "fastest-levenshtein";

/** The known word that another is a misspelling of; null when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const nearest = closest(word, known);
  // Beyond a third of its letters another word is no misspelling of this one.
  return distance(word, nearest) <= Math.ceil(word.length / 3) ? nearest : null;
}

/** The rest of a sentence that asks whether the nearest known word was meant; empty when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}
