import { toCursorText } from "../models/cursor-text.ts";

export interface Listing {
  /** The fields that may hold a record's ID, the newest name first. Default: `id`. */
  idFields?: readonly [string, ...string[]];
  /** Default: by ID. In another order, a cursor is a position. A list by schedule can also be read by ID. */
  order?: "location" | "schedule";
}

/** Works for all API versions; null if the records have no ID. */
export function idOfListed(
  { idFields = ["id"] }: Listing = {},
  record: Readonly<Record<string, unknown>>,
): number | string | null {
  const id = idFields.map((field) => record[field]).find((value) => value !== undefined && value !== null);
  return typeof id === "number" || typeof id === "string" ? id : null;
}

/** The query parameter that starts a page after a record. */
export type PlaceParameter = "after" | "page_after";

/** null for a list whose pages have numbers only. */
export function placeParameter({ query }: { query: object }): PlaceParameter | null {
  if ("page_after" in query) return "page_after";
  return "after" in query ? "after" : null;
}

export function isByCursor(listing: Listing | undefined, order: "list" | "id"): boolean {
  return listing?.order === "location" || (listing?.order === "schedule" && order === "list");
}

/** The value of the parameter for the page after this record, in any API version. */
export function placeBehind(
  listing: Listing | undefined,
  record: Readonly<Record<string, unknown>>,
  order: "list" | "id",
): string {
  if (!isByCursor(listing, order)) return String(idOfListed(listing, record));
  return listing?.order === "location" ? `${record.location_id},${record.id}` : toCursorText(record);
}
