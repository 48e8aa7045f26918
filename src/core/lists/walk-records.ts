import { setImmediate } from "node:timers/promises";
import { DispatchError, failure } from "../../errors/errors.ts";
import { toCursorText } from "../../models/job-cursor.ts";
import { viewableRecordsMax } from "../../models/page.ts";
import type { JsonObject } from "../../versions/change.ts";
import type { Caller, CallRequest } from "../caller.ts";
import type { Operation } from "../operation.ts";
import { SeenIds } from "./seen-ids.ts";
import { createSmallHeap, type SmallHeap } from "./small-heap.ts";

/** One record of a list: as an object, and as the JSON text that said it. */
export interface WalkedRecord {
  record: JsonObject;
  text: string;
}

/** What is asked of a list; `page_limit` counts records a call, the rest of the paging is left to the walk. */
export interface WalkRequest extends Pick<CallRequest, "params" | "query" | "version"> {
  /** Where jobs are concerned: as the list shows them, or by id, which nothing that happens to a job changes. */
  order?: "list" | "id";
  /** Goes on behind the place that a page of an earlier walk gave; by default all are walked. */
  after?: string | null;
}

/** Some records of a walk, and the place to go on from; null when only the whole walk can be repeated. */
export interface WalkedPage {
  records: JsonObject[];
  after: string | null;
}

/**
 * Every record of a list operation, page by page, in constant memory, in a store and on a server. None comes twice.
 * Each page begins behind the last record of the one before, so that others that come, go or change meanwhile move
 * none out of the walk; records made meanwhile come when they belong behind that place, in lists by id at the end. Jobs
 * in the list's order are the exception: one that is given another date meanwhile may pass unseen; by id none does.
 * Lists without `page_after` (short ones) are walked by the number of the page, where a record can be missed when one
 * before it goes meanwhile. Throws result_limited rather than end early where a server shows no more.
 */
export async function* walkRecords(
  caller: Caller,
  operation: Operation,
  request: WalkRequest,
): AsyncGenerator<WalkedRecord> {
  for await (const { records } of walkPages(caller, operation, request))
    for (const record of records) yield { record, text: JSON.stringify(record) };
}

/** The same, a page at a time. */
export async function* walkPages(
  caller: Caller,
  operation: Operation,
  { params, query, version, order = "list", after = null }: WalkRequest,
): AsyncGenerator<WalkedPage> {
  const limit = Number(query.page_limit ?? pageLimit);
  const seen = new SeenIds();
  let heap: SmallHeap | null = null;
  let parameter = placeParameter(operation);
  let place = after ?? (order === "id" && isOfJobs(operation) ? "0" : null);
  for (let index = 1; ; index++) {
    const paging = parameter && place !== null ? { [parameter]: place } : { page_index: String(index) };
    const input = { params, query: { ...query, ...paging, page_limit: String(limit) }, version };
    const answer = await caller
      .call(operation, { ...input, body: undefined, dryRun: false })
      .catch((error: unknown) => giveUpPlaces(error, parameter));
    if (answer === null) {
      // A server that does not know the parameter: its pages are counted from the first.
      parameter = null;
      index = 0;
      continue;
    }
    if (answer.kind !== "json") return;
    const page = JSON.parse(answer.text) as ListAnswer;
    const fresh = page.results.filter((record) => seen.add(idOf(record)));
    const last = page.results.at(-1);
    // A server that passes over the parameter gives the first page again.
    if (parameter && index > 1 && last && fresh.length === 0) {
      parameter = null;
      index = 0;
      continue;
    }
    place = last && parameter ? placeOf(operation, last, order) : null;
    if (fresh.length > 0) yield { records: fresh, after: place };
    if (parameter && page.results.length < limit) return;
    if (!parameter && index >= page.total_pages) return requireAllSeen(page);
    heap ??= createSmallHeap();
    heap.passed();
    // Interruptions are heard between pages; a store in this process leaves no other moment.
    await setImmediate();
  }
}

/** More at once are hardly faster, and leave more garbage behind. */
const pageLimit = 100;

interface ListAnswer {
  results: JsonObject[];
  total_count: number;
  total_pages: number;
}

/** The query parameter that a page of this list can begin behind a record with. */
function placeParameter({ query }: Operation): "after" | "page_after" | null {
  if ("page_after" in query) return "page_after";
  return "after" in query ? "after" : null;
}

function placeOf(operation: Operation, record: JsonObject, order: "list" | "id"): string {
  return isOfJobs(operation) && order === "list" ? toCursorText(record) : String(idOf(record));
}

const isOfJobs = ({ query }: Operation) => "schedule_gte" in query;

/** What tells a record from others of its list; customers had another name for it once (OP-25). */
function idOf({ id, customer_id, delivery_id }: JsonObject): unknown {
  return id ?? customer_id ?? delivery_id;
}

function giveUpPlaces(error: unknown, parameter: string | null): null {
  const isUnknown =
    error instanceof DispatchError &&
    error.violations.some(({ code, field }) => code === "unknown_parameter" && field === parameter);
  if (parameter !== null && isUnknown) return null;
  throw error;
}

function requireAllSeen({ total_count }: ListAnswer): void {
  if (total_count < viewableRecordsMax) return;
  const detail = `The target shows the first ${viewableRecordsMax} records of this list only; there may be more.`;
  throw failure("result_limited", detail);
}
