import { distance } from "fastest-levenshtein";

/**
 * A text as duplicates are compared (OP-33): Unicode NFKC, case folded, punctuation and white space collapsed.
 */
export function toMatchKey(text: string): string {
  return foldCase(text.normalize("NFKC"))
    .replace(/[\p{P}\p{S}\s]+/gu, " ")
    .trim();
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

/** Whether two keys are at most `edits` edits apart, an edit being of one Unicode code point. */
export function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b) return true;
  const [first, second] = /[\ud800-\udfff]/.test(a + b) ? toUnits(a, b) : [a, b];
  if (Math.abs(first.length - second.length) > edits) return false;
  return distance(first, second) <= edits;
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
