import type * as z from "zod";
import { defineField, integer, refuse } from "./fields.ts";
import type { JobCursor } from "./job-cursor.ts";
import { defineModel, list, optional } from "./model.ts";
import { pageIndexMax, viewableRecordsMax } from "./page-limits.ts";

/** Where a record stands in a list of all locations. It says so itself: what happens to the record moves no page. */
interface LocationCursor {
  location_id: number;
  id: number;
}

/** The place that a page begins after, in a list by location and then by id. */
function locationCursor() {
  const schema = { type: "string", pattern: locationCursorPattern.source, examples: ["1,17"] };
  return defineField<LocationCursor>({ name: "text", input: schema, output: schema }, (value) => {
    const parts = typeof value === "string" ? locationCursorPattern.exec(value) : null;
    if (!parts) return refuse("invalid_format", "must be location_id,id of the record before");
    return { value: { id: Number(parts[2]), location_id: Number(parts[1]) } };
  });
}

const locationCursorPattern = /^(0|[1-9][0-9]{0,14}),(0|[1-9][0-9]{0,14})$/;

/** The two query parameters of every list. */
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

/** Declares the answer of a list: a page of records and where it stands. */
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
