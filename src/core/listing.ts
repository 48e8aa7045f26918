import { toCursorText } from "../models/cursor-text.ts";

/** How the records of a list operation differ from most. */
export interface Listing {
  /** The fields that may hold the ID of a record, the newest name first; by default `id`. */
  idFields?: readonly [string, ...string[]];
  /**
   * The order, if it is not by ID; then a cursor is a position in that order. Only a list by schedule can also be
   * read by ID.
   */
  order?: "location" | "schedule";
}

/** The ID of a listed record at any version; null where the records have none. */
export function idOfListed(
  { idFields = ["id"] }: Listing = {},
  record: Readonly<Record<string, unknown>>,
): number | string | null {
  const id = idFields.map((field) => record[field]).find((value) => value !== undefined && value !== null);
  return typeof id === "number" || typeof id === "string" ? id : null;
}

/** The query parameter that begins a page after a record. */
export type PlaceParameter = "after" | "page_after";

/** The parameter of an operation; null where its list has pages by number only. */
export function placeParameter({ query }: { query: object }): PlaceParameter | null {
  if ("page_after" in query) return "page_after";
  return "after" in query ? "after" : null;
}

/** Whether a place in a list is a cursor instead of an ID. */
export function isByCursor(listing: Listing | undefined, order: "list" | "id"): boolean {
  return listing?.order === "location" || (listing?.order === "schedule" && order === "list");
}

/** The value of that parameter for the place after a record, at any version. */
export function placeBehind(
  listing: Listing | undefined,
  record: Readonly<Record<string, unknown>>,
  order: "list" | "id",
): string {
  if (!isByCursor(listing, order)) return String(idOfListed(listing, record));
  return listing?.order === "location" ? `${record.location_id},${record.id}` : toCursorText(record);
}
