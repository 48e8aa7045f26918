/** JSON in bodies. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The fields of a body, or the parameters of a path before they become text. */
export type Body = Record<string, Json>;

/**
 * A record in the newest shape, reduced to the fields that operations accept; fields without a value are absent. `id`
 * is its number: in a file a number of the file, in a tenant the record's id.
 */
export interface SnapshotRecord extends Body {
  id: number;
}

/** The entries of a list in a record. */
export function partsOf(record: Body, field: string): SnapshotRecord[] {
  const entries = record[field];
  return Array.isArray(entries) ? (entries as SnapshotRecord[]) : [];
}

/** The canonical form of a value: keys sorted and null left out, so that equal values are equal texts. */
export function toCanonical(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(toCanonical);
  if (typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== null && entry !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, entry]) => [name, toCanonical(entry)]));
}
