import type * as z from "zod";
import { integer } from "./fields.ts";
import type { JobCursor } from "./job-cursor.ts";
import { defineModel, list, optional } from "./model.ts";

/** The two query parameters of every list (OP-52). */
export const paging = {
  page_index: optional(integer(1, 10_000).describe("page to show, from 1 (default 1)")),
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

/** Declares the answer of a list: a page of records and where it stands (OP-52). */
export function defineList<T extends z.ZodType>(name: string, record: T) {
  return defineModel(name, {
    current_limit: integer(1, 1000).describe("page size in effect"),
    current_page: integer(1, 10_000).describe("page index"),
    results: list(record),
    total_count: integer(0, 100_000).describe("total viewable records"),
    total_pages: integer(0, 1000),
  });
}

/** Which page is asked for. */
export interface Paging {
  index: number;
  limit: number;
  /** Begins the page behind a record, named by its id or its cursor; such pages also show records beyond the last viewable one. */
  after?: number | JobCursor | null;
}

/** A page of records and the number of records that match in all. */
export interface Page<T> {
  rows: T[];
  total: number;
}

/** Records beyond this many are neither counted nor shown (OP-52). */
export const viewableRecordsMax = 100_000;

/** Reads the paging parameters, with their defaults. */
export function toPaging(query: {
  page_index?: number | null | undefined;
  page_limit?: number | null | undefined;
  page_after?: number | JobCursor | null | undefined;
}): Paging {
  return { index: query.page_index ?? 1, limit: query.page_limit ?? 100, after: query.page_after ?? null };
}

/** The answer of a list. */
export function toList<T>(page: Page<T>, { index, limit }: Paging) {
  return {
    current_limit: limit,
    current_page: index,
    results: page.rows,
    total_count: page.total,
    total_pages: Math.min(1000, Math.ceil(page.total / limit)),
  };
}
