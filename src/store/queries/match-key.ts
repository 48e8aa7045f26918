import { distance } from "fastest-levenshtein";

/**
 * A text as duplicates are compared (OP-33): Unicode NFKC, case folded, punctuation and white space collapsed, what
 * cannot be seen left out. Pictures such as emoji tell texts apart; a text of nothing but punctuation is kept as it is.
 */
export function toMatchKey(text: string): string {
  // Once more after folding: letters that are folded part by part may have become composable.
  const folded = foldCase(text.normalize("NFKC"))
    .normalize("NFKC")
    .replace(/\p{DI}/gu, "");
  const collapsed = folded.replace(/[\p{P}\p{Sc}\p{Sk}\p{Sm}\s]+/gu, " ").trim();
  return collapsed === "" ? folded.trim() : collapsed;
}

/**
 * A text without the difference of upper and lower case. By way of upper case, because that is where ß becomes SS; from
 * lower case, because ẞ has no other upper case; and the sigma at a word's end is the same letter.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** The address parts that make two addresses the same (OP-33). */
export interface AddressParts {
  country: string;
  line_1: string;
  locality: string;
  postcode: string;
  region: string;
}

/** An address as duplicates are compared: its parts joined. */
export function toAddressKey({ line_1, locality, region, postcode, country }: AddressParts): string {
  return toMatchKey([line_1, locality, region, postcode, country].join(" "));
}

/** How many Unicode code points a text has. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** What comparing may still cost, in steps of some nanoseconds; below 0 nothing is left. */
export interface Effort {
  left: number;
}

/**
 * Makes a test whether a text is at most `edits` edits away from one of `keys`, where an edit changes one Unicode code
 * point (Levenshtein). One test serves many texts; it tells most of them apart by their letters, without computing a
 * distance. It takes what it costs off `effort`; once nothing is left there, its answer is false and means nothing.
 */
export function createNearness(
  keys: readonly string[],
  edits: number,
  effort: Effort,
): (text: string) => boolean {
  const wanted = keys.map((key) => ({ key, tally: toTally(key) }));
  return (text) => {
    const tally = toTally(text);
    return wanted.some((one) => {
      effort.left -= 4;
      if (effort.left < 0 || !isTallyWithin(edits, one.tally, tally)) return false;
      // The distance is computed for 32 code points of one text and one of the other at a time.
      effort.left -= Math.ceil(one.key.length / 32) * text.length;
      return isWithin(edits, one.key, text);
    });
  };
}

const tallyMask = 31;

/** How many code points of a text fall into each of 32 classes. */
function toTally(text: string): Uint32Array {
  const tally = new Uint32Array(tallyMask + 1);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // The second halves of surrogate pairs are left out, so that each code point counts once.
    if ((unit & 0xfc00) !== 0xdc00) tally[unit & tallyMask] = (tally[unit & tallyMask] ?? 0) + 1;
  }
  return tally;
}

/** An edit removes at most one code point and adds at most one. False means that the texts are further apart. */
function isTallyWithin(edits: number, a: Uint32Array, b: Uint32Array): boolean {
  let more = 0;
  let fewer = 0;
  for (let index = 0; index <= tallyMask; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference > 0) more += difference;
    else fewer -= difference;
    if (more > edits || fewer > edits) return false;
  }
  return true;
}

function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b) return true;
  const [first, second] = /[\ud800-\udfff]/.test(a + b) ? toUnits(a, b) : [a, b];
  if (Math.abs(first.length - second.length) > edits) return false;
  // No distance is greater than the length of the longer text.
  return Math.max(first.length, second.length) <= edits || distance(first, second) <= edits;
}

/** Writes each code point of two texts as one UTF-16 unit, which is what the distance counts. */
function toUnits(a: string, b: string): [string, string] {
  const units = new Map<string, string>();
  const toUnit = (point: string) => {
    const unit = units.get(point) ?? String.fromCharCode(units.size);
    units.set(point, unit);
    return unit;
  };
  return [Array.from(a, toUnit).join(""), Array.from(b, toUnit).join("")];
}
