import { distance } from "fastest-levenshtein";

/** NFKC, case folded, punctuation and white space collapsed. Emoji stay, and so does pure punctuation. */
export function toMatchKey(text: string): string {
  // Again, because folded letters may be composable.
  const folded = foldCase(text.normalize("NFKC"))
    .normalize("NFKC")
    .replace(/\p{DI}/gu, "");
  const collapsed = folded.replace(/[\p{P}\p{Sc}\p{Sk}\p{Sm}\s]+/gu, " ").trim();
  return collapsed === "" ? folded.trim() : collapsed;
}

/** Upper case turns ß into SS, and ẞ only from lower case. A final sigma equals the other sigma. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

export function isSameCode(a: string, b: string): boolean {
  const [one, other] = [a, b].map((code) => foldCase(code.normalize("NFKC")));
  return one === other;
}

export interface AddressParts {
  country: string;
  line_1: string;
  locality: string;
  postcode: string;
  region: string;
}

export function toAddressKey({ line_1, locality, region, postcode, country }: AddressParts): string {
  return toMatchKey([line_1, locality, region, postcode, country].join(" "));
}

/** The remaining cost of comparisons, in steps of some nanoseconds. Negative when used up. */
export interface Effort {
  left: number;
}

/**
 * Tests for texts within `edits` edits (Levenshtein) of one of `keys`. Once `effort` is negative, ignore the result.
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
      // The algorithm compares 32 code points with one at a time.
      effort.left -= Math.ceil(one.key.length / 32) * text.length;
      return isWithin(edits, one.key, text);
    });
  };
}

const tallyMask = 31;

function toTally(text: string): Uint32Array {
  const tally = new Uint32Array(tallyMask + 1);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Skips low surrogates, so that each code point counts once.
    if ((unit & 0xfc00) !== 0xdc00) tally[unit & tallyMask] = (tally[unit & tallyMask] ?? 0) + 1;
  }
  return tally;
}

/** An edit removes and adds at most one code point, so false proves a larger distance. */
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
  // A distance is at most the length of the longer text.
  return Math.max(first.length, second.length) <= edits || distance(first, second) <= edits;
}

/** The distance counts UTF-16 units, so each code point becomes one unit. */
function toUnits(a: string, b: string): [string, string] {
  const units = new Map<string, string>();
  const toUnit = (point: string) => {
    const unit = units.get(point) ?? String.fromCharCode(units.size);
    units.set(point, unit);
    return unit;
  };
  return [Array.from(a, toUnit).join(""), Array.from(b, toUnit).join("")];
}

export interface NearAddresses {
  keys: readonly string[];
  texts: readonly string[];
  edits: number;
}

export interface ComparedAddresses {
  near: readonly string[];
  /** False if the comparison stopped early; near texts may be missing. */
  isComplete: boolean;
}

/** Limits a search to about a second. */
const effortMax = 200_000_000;

export function findNear({ edits, keys, texts }: NearAddresses): ComparedAddresses {
  const effort = { left: effortMax };
  const near = texts.filter(createNearness(keys, edits, effort));
  return { near, isComplete: effort.left >= 0 };
}

/** Addresses compared before the transaction, because comparisons may take long. */
export class ComparedBefore {
  readonly #known: ReadonlySet<string>;
  readonly #near: ReadonlySet<string>;
  readonly isComplete: boolean;

  constructor(texts: readonly string[], { isComplete, near }: ComparedAddresses) {
    this.#known = new Set(texts);
    this.#near = new Set(near);
    this.isComplete = isComplete;
  }

  isNear(text: string): boolean | undefined {
    return this.#known.has(text) ? this.#near.has(text) : undefined;
  }
}

export const nothingCompared = new ComparedBefore([], { isComplete: true, near: [] });
export const tooManyToCompare = new ComparedBefore([], { isComplete: false, near: [] });
