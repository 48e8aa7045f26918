import type * as z from "zod";
import { integer } from "./fields.ts";
import type { JobCursor } from "./job-cursor.ts";
import { type LocationCursor, locationCursor } from "./location-cursor.ts";
import { defineModel, list, optional } from "./model.ts";

/** Records beyond this many are neither counted nor shown by the number of a page (OP-52). */
export const viewableRecordsMax = 100_000;

/** The greatest page_index. */
export const pageIndexMax = 10_000;

/** The last page that shows records, by how many can be viewed; at least the first. It may be beyond total_pages (OP-100). */
export function lastPageOf(totalCount: number, limit: number): number {
  return Math.max(1, Math.min(pageIndexMax, Math.ceil(totalCount / limit)));
}

/** The two query parameters of every list (OP-52). */
export const paging = {
  page_index: optional(integer(1, pageIndexMax).describe("page to show, from 1 (default 1)")),
  page_limit: optional(integer(1, 1000).describe("most records a page (default 100)")),
};

/**
 * The same for lists that grow without bound, with a parameter of ours to walk them: a page that begins after a record
 * costs the same wherever it is, and records before it that come or go do not move it.
 */
export const cursorPaging = {
  ...paging,
  page_after: optional(
    integer(0).describe("only records after the one with this id, beyond the 100,000th too; to walk a list"),
  ),
};

/** The same for lists of all locations, which are by location and then by id. */
export const locationPaging = {
  ...paging,
  page_after: optional(
    locationCursor().describe("walk on after this location_id,id, beyond the 100,000th record too"),
  ),
};

/** Declares the answer of a list: a page of records and where it stands (OP-52). */
export function defineList<T extends z.ZodType>(name: string, record: T) {
  return defineModel(name, {
    current_limit: integer(1, 1000).describe("page size in effect"),
    current_page: integer(1, pageIndexMax).describe("page index"),
    results: list(record),
    total_count: integer(0, viewableRecordsMax).describe("total viewable records"),
    total_pages: integer(0, 1000),
  });
}

/** Which page is asked for. */
export interface Paging {
  index: number;
  limit: number;
  /** Begins the page behind a record, named by its id or its cursor; such pages also show records beyond the last viewable one. */
  after?: number | JobCursor | LocationCursor | null;
}

/** A page of records. */
export interface Page<T> {
  rows: T[];
  /** How many records match, counted to one more than can be viewed. */
  total: number;
  /** Whether records remain behind a page that begins behind a record. Other pages follow from the total. */
  continues?: boolean;
}

/** Reads the paging parameters, with their defaults. */
export function toPaging(query: {
  page_index?: number | null | undefined;
  page_limit?: number | null | undefined;
  page_after?: Paging["after"] | undefined;
}): Paging {
  return { index: query.page_index ?? 1, limit: query.page_limit ?? 100, after: query.page_after ?? null };
}

/** The answer of a list, and with `continues` what its Link header needs to know: whether records remain behind the page. */
export function toList<T>({ continues, rows, total }: Page<T>, { index, limit }: Paging) {
  const count = Math.min(total, viewableRecordsMax);
  return {
    continues: continues ?? total > Math.min(index * limit, viewableRecordsMax),
    current_limit: limit,
    current_page: index,
    results: rows,
    total_count: count,
    total_pages: Math.min(1000, Math.ceil(count / limit)),
  };
}
