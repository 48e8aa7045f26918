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
