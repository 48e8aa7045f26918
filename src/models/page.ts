import type * as z from "zod";
import { defineField, integer, refuse } from "./fields.ts";
import type { JobCursor } from "./job-cursor.ts";
import { defineModel, list, optional } from "./model.ts";
import { pageIndexMax, viewableRecordsMax } from "./page-limits.ts";

/** Holds no record's state, so changes of records do not move a page. */
interface LocationCursor {
  location_id: number;
  id: number;
}

function locationCursor() {
  const schema = { type: "string", pattern: locationCursorPattern.source, examples: ["1,17"] };
  return defineField<LocationCursor>({ name: "text", input: schema, output: schema }, (value) => {
    const parts = typeof value === "string" ? locationCursorPattern.exec(value) : null;
    if (!parts) return refuse("invalid_format", "must be location_id,id of the record before");
    return { value: { id: Number(parts[2]), location_id: Number(parts[1]) } };
  });
}

const locationCursorPattern = /^(0|[1-9][0-9]{0,14}),(0|[1-9][0-9]{0,14})$/;

export const paging = {
  page_index: optional(integer(1, pageIndexMax).describe("page to show, from 1 (default 1)")),
  page_limit: optional(integer(1, 1000).describe("most records a page (default 100)")),
};

/** For lists without limit: a page after a record costs the same anywhere, and other records do not move it. */
export const cursorPaging = {
  ...paging,
  page_after: optional(
    integer(0).describe("only records after this id, also beyond the 100,000th; to read a whole list"),
  ),
};

/** For lists of all locations. */
export const locationPaging = {
  ...paging,
  page_after: optional(
    locationCursor().describe("continue after this location_id,id, also beyond the 100,000th record"),
  ),
};

export function defineList<T extends z.ZodType>(name: string, record: T) {
  return defineModel(name, {
    current_limit: integer(1, 1000).describe("page size in effect"),
    current_page: integer(1, pageIndexMax).describe("page index"),
    results: list(record).describe("the records of the page"),
    total_count: integer(0, viewableRecordsMax).describe("total viewable records"),
    total_pages: integer(0, 1000).describe("number of pages at this page size"),
  });
}

export interface Paging {
  index: number;
  limit: number;
  /** Starts the page after a record's id or cursor. Such pages also show records beyond the last viewable one. */
  after?: number | JobCursor | LocationCursor | null;
}

export interface Page<T> {
  rows: T[];
  /** Stops counting one above the viewable records. */
  total: number;
  /** For a page that begins after a record: whether records remain. Other pages use the total. */
  continues?: boolean;
}

export function toPaging(query: {
  page_index?: number | null | undefined;
  page_limit?: number | null | undefined;
  page_after?: Paging["after"] | undefined;
}): Paging {
  return { index: query.page_index ?? 1, limit: query.page_limit ?? 100, after: query.page_after ?? null };
}

/** `continues` is for the Link header. */
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
