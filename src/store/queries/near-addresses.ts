import { createNearness } from "./match-key.ts";

export interface NearAddresses {
  /** Of the new customer. */
  keys: readonly string[];
  /** Of other customers. */
  texts: readonly string[];
  edits: number;
}

export interface ComparedAddresses {
  near: readonly string[];
  /** False when comparing all of them would have taken too long; then near ones may be missing. */
  isComplete: boolean;
}

/** The cost limit of one search: about a second. */
const effortMax = 200_000_000;

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

  /** undefined for a text that was not compared. */
  isNear(text: string): boolean | undefined {
    return this.#known.has(text) ? this.#near.has(text) : undefined;
  }
}

export const nothingCompared = new ComparedBefore([], { isComplete: true, near: [] });
export const tooManyToCompare = new ComparedBefore([], { isComplete: false, near: [] });
