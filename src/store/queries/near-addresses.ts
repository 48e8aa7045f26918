import { createNearness } from "./match-key.ts";

/** What is compared in one search for duplicates: keys of addresses, and how far apart they may be. */
export interface NearAddresses {
  /** Those of the new customer. */
  keys: readonly string[];
  /** Those of other customers. */
  texts: readonly string[];
  edits: number;
}

/** Which of some addresses are near. */
export interface ComparedAddresses {
  near: readonly string[];
  /** False when comparing all of them would have taken too long: then some that are near may be missing. */
  isComplete: boolean;
}

/** What one search may cost: about a second. */
const effortMax = 200_000_000;

/** Finds the texts that are within `edits` edits of one of the keys, in a second or so at most. */
export function findNear({ edits, keys, texts }: NearAddresses): ComparedAddresses {
  const effort = { left: effortMax };
  const near = texts.filter(createNearness(keys, edits, effort));
  return { near, isComplete: effort.left >= 0 };
}

/** Addresses that were compared before a transaction, because that may take long. */
export class ComparedBefore {
  readonly #known: ReadonlySet<string>;
  readonly #near: ReadonlySet<string>;
  /** False when there are too many to compare. */
  readonly isComplete: boolean;

  constructor(texts: readonly string[], { isComplete, near }: ComparedAddresses) {
    this.#known = new Set(texts);
    this.#near = new Set(near);
    this.isComplete = isComplete;
  }

  /** Whether a text is near; undefined for one that was not compared. */
  isNear(text: string): boolean | undefined {
    return this.#known.has(text) ? this.#near.has(text) : undefined;
  }
}

export const nothingCompared = new ComparedBefore([], { isComplete: true, near: [] });
export const tooManyToCompare = new ComparedBefore([], { isComplete: false, near: [] });
