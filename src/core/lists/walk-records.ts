import { setImmediate } from "node:timers/promises";
import { DispatchError, failure } from "../../errors/errors.ts";
import { toCursorText } from "../../models/job-cursor.ts";
import type { JsonObject } from "../../models/json.ts";
import { viewableRecordsMax } from "../../models/page.ts";
import type { Caller, CallRequest } from "../caller.ts";
import { idOfListed } from "../listing.ts";
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
  /** As the list shows its records, or by id, which nothing that happens to a record changes. By default the list's. */
  order?: "list" | "id";
  /** Goes on behind the place that a page of an earlier walk gave. By default the walk begins with the first record. */
  after?: string | null;
}

/** Some records of a walk, and the place to go on from; null when only the whole walk can be repeated. */
export interface WalkedPage {
  records: JsonObject[];
  after: string | null;
}

/**
 * Reads every record of a list operation once, page by page, in constant memory, in a store and on a server. Each page
 * begins behind the last record of the page before. So records that others create, change or remove during the walk push
 * no other record out of it, and the walk meets a new record when its place is still ahead. One case is left: in the
 * list's order the walk can miss a job whose date changes meanwhile; by id it misses none. Short lists have no
 * `page_after`: they are read by page number, where a record can be missed when one before it is removed meanwhile.
 * Throws result_limited where a server shows no further records, rather than end early.
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
  request: WalkRequest,
): AsyncGenerator<WalkedPage> {
  const seen = new SeenIds();
  let heap: SmallHeap | null = null;
  let position: Position = toStart(operation, request);
  while (true) {
    const page = await readPage(caller, operation, request, position);
    const records = page.results.filter((record) => seen.add(idOfListed(operation.listing, record)));
    const { after, next } = advance(operation, request, position, page, records.length);
    if (records.length > 0) yield { records, after };
    if (next === null) return position.by === "number" ? requireAllSeen(page) : undefined;
    position = next;
    heap ??= createSmallHeap();
    heap.passed();
    // Interruptions are heard between pages; a store in this process leaves no other moment.
    await setImmediate();
  }
}

/** Where a page begins: behind a place of the list, null for its start; or by the number of the page. */
type Position =
  | { by: "place"; parameter: PlaceParameter; place: string | null; isFirst: boolean }
  | { by: "number"; index: number };

type PlaceParameter = "after" | "page_after";

function toStart(operation: Operation, { after = null, order = "list" }: WalkRequest): Position {
  const parameter = placeParameter(operation);
  if (!parameter) return firstByNumber;
  const isById = order === "id" && operation.listing?.order !== undefined;
  return { by: "place", parameter, place: after ?? (isById ? "0" : null), isFirst: true };
}

const firstByNumber: Position = { by: "number", index: 1 };

/** The query parameter that a page of this list can begin behind a record with. */
function placeParameter({ query }: Operation): PlaceParameter | null {
  if ("page_after" in query) return "page_after";
  return "after" in query ? "after" : null;
}

interface ListPage {
  results: JsonObject[];
  total_count: number;
  total_pages: number;
  /** The server does not know the parameter that names a place. */
  isRefused?: true;
}

const noRecords = { results: [], total_count: 0, total_pages: 0 };

async function readPage(
  caller: Caller,
  operation: Operation,
  { params, query, version }: WalkRequest,
  position: Position,
): Promise<ListPage> {
  const paging = toPaging(position);
  const asked = { ...query, ...paging, page_limit: String(limitOf(query)) };
  try {
    const answer = await caller.call(operation, {
      params,
      query: asked,
      version,
      body: undefined,
      dryRun: false,
    });
    return answer.kind === "json" ? (JSON.parse(answer.text) as ListPage) : noRecords;
  } catch (error) {
    if (position.by === "place" && isUnknown(error, position.parameter))
      return { ...noRecords, isRefused: true };
    throw error;
  }
}

function toPaging(position: Position): Record<string, string> {
  if (position.by === "number") return { page_index: String(position.index) };
  return position.place === null ? { page_index: "1" } : { [position.parameter]: position.place };
}

const limitOf = ({ page_limit }: WalkRequest["query"]) => Number(page_limit ?? pageLimit);

/** More at once are hardly faster, and leave more garbage behind. */
const pageLimit = 100;

function isUnknown(error: unknown, parameter: PlaceParameter): boolean {
  return (
    error instanceof DispatchError &&
    error.violations.some(({ code, field }) => code === "unknown_parameter" && field === parameter)
  );
}

/** Where the walk goes on behind a page, of which `count` records are new; `next` is null at its end. */
function advance(
  operation: Operation,
  { order = "list", query }: WalkRequest,
  position: Position,
  page: ListPage,
  count: number,
): { after: string | null; next: Position | null } {
  if (position.by === "number") {
    const isLast = position.index >= page.total_pages;
    return { after: null, next: isLast ? null : { by: "number", index: position.index + 1 } };
  }
  const last = page.results.at(-1);
  // A server that ignores the parameter gives the first page again.
  const isRepeated = last !== undefined && count === 0 && !position.isFirst;
  if (page.isRefused || isRepeated) return { after: null, next: firstByNumber };
  const place = last ? placeOf(operation, last, order) : null;
  if (page.results.length < limitOf(query)) return { after: place, next: null };
  return { after: place, next: { ...position, place, isFirst: false } };
}

function placeOf({ listing }: Operation, record: JsonObject, order: "list" | "id"): string {
  const isByCursor = listing?.order === "schedule" && order === "list";
  return isByCursor ? toCursorText(record) : String(idOfListed(listing, record));
}

function requireAllSeen({ total_count }: ListPage): void {
  if (total_count < viewableRecordsMax) return;
  const detail = `The target shows the first ${viewableRecordsMax} records of this list only; there may be more.`;
  throw failure("result_limited", detail);
}
