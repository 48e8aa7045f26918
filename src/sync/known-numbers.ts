import type { NumberedKind } from "./snapshot-types.ts";

/** What a number of the source is in the target: a record's id, one that is still to be made, or why there is none. */
export type Known = number | "new" | "refused" | "left out";

/** For each number of the source what it is in the target; absent for what the source does not have. */
export interface KnownNumbers {
  find(kind: NumberedKind, number: number): Known | undefined;
  set(kind: NumberedKind, number: number, known: Known): void;
}

export function createKnownNumbers(): KnownNumbers {
  const byKind = new Map<NumberedKind, Map<number, Known>>();
  const of = (kind: NumberedKind) => {
    const known = byKind.get(kind) ?? new Map<number, Known>();
    byKind.set(kind, known);
    return known;
  };
  return {
    find: (kind, number) => of(kind).get(number),
    set: (kind, number, known) => void of(kind).set(number, known),
  };
}

/** In place of the number of a record that is still to be made. */
export const toNewMark = (kind: NumberedKind, number: number) => `new ${kind} ${number}`;

/** The number that the mark holds. */
export const fromNewMark = (mark: string) => Number(mark.slice(mark.lastIndexOf(" ") + 1));
