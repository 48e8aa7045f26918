export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Fields of a body, or parameters of a path before they become text. */
export type Body = Record<string, Json>;

/** In the newest API version, only with fields that operations accept and that have a value. */
export interface SnapshotRecord extends Body {
  id: number;
}

export function partsOf(record: Body, field: string): SnapshotRecord[] {
  const entries = record[field];
  return Array.isArray(entries) ? (entries as SnapshotRecord[]) : [];
}

/** Sorts keys and omits null, so that equal values are equal texts. */
export function toCanonical(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(toCanonical);
  if (typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== null && entry !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, entry]) => [name, toCanonical(entry)]));
}
