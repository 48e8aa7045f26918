/** What a list operation says of its records, where they differ from most. */
export interface Listing {
  /** The fields of its answers that may hold a record's id, the newest name first; by default `id`. */
  idFields?: readonly [string, ...string[]];
  /** What it is ordered by, when that is not the id: a place in it is a cursor of job-cursor.ts then. */
  order?: "schedule";
}

/** The id of a record of a list, in an answer of any version; null where the records have none. */
export function idOfListed(
  { idFields = ["id"] }: Listing = {},
  record: Readonly<Record<string, unknown>>,
): number | string | null {
  const id = idFields.map((field) => record[field]).find((value) => value !== undefined && value !== null);
  return typeof id === "number" || typeof id === "string" ? id : null;
}
