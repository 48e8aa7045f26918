import { isDocument, type Operation } from "../../core/operation.ts";
import { showsSecret } from "../../models/shows-secret.ts";
import type { KnownRequest } from "../answer-call.ts";
import { parseQuery } from "../query.ts";

/** A page of so many records is short, and so is the way to one that begins behind so many others. */
const shortPageMax = 100;
const shortWayMax = 10_000;

/**
 * Whether a request may keep a store busy for long, by what it asks for alone: a search for a record, a long page of a list,
 * one far behind, or one whose records have to be counted, because a filter, the path or the caller's sight leaves some out.
 * What is not asked of the store alone is none: answers that depend on the time, or show secrets that a key opens.
 */
export function isLongRead({
  actor,
  operation,
  request,
}: Pick<KnownRequest, "actor" | "operation" | "request">): boolean {
  if (operation.reads.isSearch) return true;
  if (!isPlainList(operation)) return false;
  const { order, page_after, page_index, page_limit, ...filters } = parseQuery(request.query).values;
  const [index, limit] = [Number(page_index ?? 1), Number(page_limit ?? shortPageMax)];
  if (limit > shortPageMax || index * limit > shortWayMax) return true;
  if (Object.keys(filters).length > 0 || Object.keys(operation.params).length > 0) return true;
  return !actor.scope.rowScopes.some(({ kind }) => kind === "tenant");
}

function isPlainList({ effect, output, query, reads }: Operation): boolean {
  if (effect !== "read" || !("page_limit" in query)) return false;
  return reads.varies === undefined && !isDocument(output) && !showsSecret(output);
}
