import type { Body, Json } from "./snapshot-record.ts";
import type { NumberedType } from "./sync-kinds.ts";

/** What a number of the source is in the target: a record's id, one that will be created, or why there is none. */
export type Known = number | "new" | "refused" | "left out";

/** For each number of the source what it is in the target; absent for what the source does not have. */
export interface KnownNumbers {
  find(type: NumberedType, number: number): Known | undefined;
  set(type: NumberedType, number: number, known: Known): void;
}

export function createKnownNumbers(): KnownNumbers {
  const byType = new Map<NumberedType, Map<number, Known>>();
  const of = (type: NumberedType) => {
    const known = byType.get(type) ?? new Map<number, Known>();
    byType.set(type, known);
    return known;
  };
  return {
    find: (type, number) => of(type).get(number),
    set: (type, number, known) => void of(type).set(number, known),
  };
}

/** Fields that hold numbers of other records, and of which type. */
export type References = Readonly<Record<string, NumberedType>>;

/** Stands for the id of a record that will be created. */
export const toPlaceholder = (type: NumberedType, number: number) => `new ${type} ${number}`;

/** Whether a value stands for the id of a record that will be created; ids themselves are numbers. */
export function isPlaceholder(references: References, field: string, value: Json | undefined): boolean {
  return references[field] !== undefined && typeof value === "string";
}

/** The body with the ids of records that were created meanwhile; of those that were refused none. */
export function resolvePlaceholders(known: KnownNumbers, references: References, body: Body): Body {
  const entries = Object.entries(body).map(([field, value]) => {
    const type = references[field];
    if (!type || typeof value !== "string") return [field, value];
    const found = known.find(type, Number(value.slice(value.lastIndexOf(" ") + 1)));
    return [field, typeof found === "number" ? found : null];
  });
  return Object.fromEntries(entries);
}
