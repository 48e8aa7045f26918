import { toCursorText } from "../models/cursor-text.ts";

/** What a list operation says of its records, where they differ from most. */
export interface Listing {
  /** The fields of its answers that may hold a record's id, the newest name first; by default `id`. */
  idFields?: readonly [string, ...string[]];
  /**
   * What it is ordered by, when that is not the id: a place in it is a cursor then, of job-cursor.ts or location-cursor.ts.
   * Only by schedule can it be walked by id, too.
   */
  order?: "location" | "schedule";
}

/** The id of a record of a list, in an answer of any version; null where the records have none. */
export function idOfListed(
  { idFields = ["id"] }: Listing = {},
  record: Readonly<Record<string, unknown>>,
): number | string | null {
  const id = idFields.map((field) => record[field]).find((value) => value !== undefined && value !== null);
  return typeof id === "number" || typeof id === "string" ? id : null;
}

/** The query parameter that a page of a list can begin behind a record with. */
export type PlaceParameter = "after" | "page_after";

/** That of an operation; null where its list has pages by number only. */
export function placeParameter({ query }: { query: object }): PlaceParameter | null {
  if ("page_after" in query) return "page_after";
  return "after" in query ? "after" : null;
}

/** Whether a place in a list is a cursor, not an id: in the list's own order, where that is not the order of ids. */
export function isByCursor(listing: Listing | undefined, order: "list" | "id"): boolean {
  return listing?.order === "location" || (listing?.order === "schedule" && order === "list");
}

/** The value of that parameter that stands for the place behind a record, in an answer of any version. */
export function placeBehind(
  listing: Listing | undefined,
  record: Readonly<Record<string, unknown>>,
  order: "list" | "id",
): string {
  if (!isByCursor(listing, order)) return String(idOfListed(listing, record));
  return listing?.order === "location" ? `${record.location_id},${record.id}` : toCursorText(record);
}
