import { setImmediate } from "node:timers/promises";
import { failure } from "../../errors/errors.ts";
import type { JsonObject } from "../../models/json.ts";
import { lastPageOf, pageIndexMax, viewableRecordsMax } from "../../models/page.ts";
import type { Caller, CallRequest, JsonAnswer } from "../caller.ts";
import { idOfListed, isByCursor, type PlaceParameter, placeBehind, placeParameter } from "../listing.ts";
import type { Operation } from "../operation.ts";
import { SeenIds } from "./seen-ids.ts";
import { createSmallHeap, type SmallHeap } from "./small-heap.ts";
import { splitPage } from "./split-page.ts";

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
  /** Asks for the next page while the caller works on one, so that a server and this process work at the same time. */
  readsAhead?: boolean;
}

/** Some records of a walk, and the place to go on from; null when only the whole walk can be repeated. */
export interface WalkedPage {
  /** The JSON text of each record, as the target answered it. */
  texts: readonly string[];
  /** The same as objects, which are made when somebody asks for them. */
  readonly records: JsonObject[];
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
  for await (const { records, texts } of walkPages(caller, operation, request))
    for (const [index, record] of records.entries()) yield { record, text: texts[index] ?? "" };
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
  let reading = readPage(caller, operation, request, position);
  try {
    while (true) {
      const page = await reading;
      const texts = page.texts.filter((_, index) => seen.add(page.ids[index]));
      const { after, next } = advance(operation, request, position, page, texts.length);
      if (next !== null && request.readsAhead) reading = readAhead(caller, operation, request, next);
      if (texts.length > 0) yield toWalkedPage(texts, after);
      if (next === null) return position.by === "number" ? requireAllSeen(page, limitOf(request)) : undefined;
      position = next;
      heap ??= createSmallHeap();
      heap.passed();
      // Interruptions are heard between pages; a store in this process leaves no other moment.
      await setImmediate();
      if (!request.readsAhead) reading = readPage(caller, operation, request, position);
    }
  } finally {
    heap?.end();
  }
}

/** Makes a page of the JSON texts of its records: many are written as they came and never parsed. */
export function toWalkedPage(texts: readonly string[], after: string | null): WalkedPage {
  let records: JsonObject[] | undefined;
  return {
    texts,
    after,
    get records() {
      records ??= JSON.parse(`[${texts.join(",")}]`) as JsonObject[];
      return records;
    },
  };
}

/** Whoever ends the walk early never asks what came of it; whoever goes on is told. */
function readAhead(...asked: Parameters<typeof readPage>): Promise<ListPage> {
  const reading = readPage(...asked);
  reading.catch(() => undefined);
  return reading;
}

/** Where a page begins: behind a place of the list, null for its start; or by the number of the page. */
type Position =
  | { by: "place"; parameter: PlaceParameter; place: string | null; isFirst: boolean; asksOrder: boolean }
  | { by: "number"; index: number };

function toStart(operation: Operation, request: WalkRequest): Position {
  const parameter = placeParameter(operation);
  if (!parameter) return firstByNumber;
  const { after = null, query } = request;
  const asksOrder = orderOf(request) === "id" && operation.reads.listing?.order === "schedule";
  const start = asksOrder ? (query.page_after ?? "0") : null;
  return { by: "place", parameter, place: after ?? start, isFirst: true, asksOrder };
}

/** The order that the walk or the query of its caller names. */
const orderOf = ({ order, query }: WalkRequest) => order ?? (query.order === "id" ? "id" : "list");

const firstByNumber: Position = { by: "number", index: 1 };

interface ListPage {
  texts: string[];
  ids: ReturnType<typeof idOfListed>[];
  total_count: number;
}

const noRecords = { texts: [], ids: [], total_count: 0 };

async function readPage(
  caller: Caller,
  operation: Operation,
  request: WalkRequest,
  position: Position,
): Promise<ListPage> {
  const { params, query, version } = request;
  const paging = toPaging(position);
  const asked = { ...query, ...paging, page_limit: String(limitOf(request)) };
  const call = { params, query: asked, version, body: undefined, dryRun: false };
  const answer = await caller.call(operation, call);
  return answer.kind === "json" ? toListPage(operation, answer) : noRecords;
}

type AnsweredPage = Pick<ListPage, "total_count"> & { results: JsonObject[] };

function toListPage({ reads: { listing } }: Operation, answer: JsonAnswer): ListPage {
  const list = answer.toList?.() ?? splitPage(answer.text, listing?.idFields ?? ["id"]);
  const { results, total_count } = JSON.parse(list?.frame ?? answer.text) as AnsweredPage;
  const texts = list?.records ?? results.map((record) => JSON.stringify(record));
  const ids = list?.ids ?? results.map((record) => idOfListed(listing, record));
  return { texts, ids, total_count };
}

function toPaging(position: Position): Record<string, string> {
  if (position.by === "number") return { page_index: String(position.index) };
  if (position.place === null) return { page_index: "1" };
  return { [position.parameter]: position.place, ...(position.asksOrder && { order: "id" }) };
}

/** Whoever reads ahead holds two pages in memory. */
function limitOf({ query, readsAhead }: WalkRequest): number {
  return Number(query.page_limit ?? (readsAhead ? pageLimit / 2 : pageLimit));
}

/** More at once would be some percent faster, and hold more in memory. */
const pageLimit = 200;

/** Where the walk goes on behind a page, of which `count` records are new; `next` is null at its end. */
function advance(
  operation: Operation,
  request: WalkRequest,
  position: Position,
  page: ListPage,
  count: number,
): { after: string | null; next: Position | null } {
  if (position.by === "number") {
    const lastPage = page.texts.length === 0 ? 0 : lastPageOf(page.total_count, limitOf(request));
    const isLast = position.index >= lastPage;
    return { after: null, next: isLast ? null : { by: "number", index: position.index + 1 } };
  }
  // A server that ignores the parameter gives the first page again.
  const isRepeated = page.texts.length > 0 && count === 0 && !position.isFirst;
  if (isRepeated) return { after: null, next: firstByNumber };
  const place = placeOf(operation, page, orderOf(request));
  if (page.texts.length < limitOf(request)) return { after: place, next: null };
  return { after: place, next: { ...position, place, isFirst: false } };
}

/** The place behind the last record of a page. */
function placeOf(
  { reads: { listing } }: Operation,
  { ids, texts }: ListPage,
  order: "list" | "id",
): string | null {
  const last = texts.at(-1);
  if (last === undefined) return null;
  // Records whose ids tell the place need not be parsed.
  return isByCursor(listing, order) ? placeBehind(listing, JSON.parse(last), order) : String(ids.at(-1));
}

function requireAllSeen({ total_count }: ListPage, limit: number): void {
  const shownMax = Math.min(viewableRecordsMax, pageIndexMax * limit);
  if (total_count < viewableRecordsMax && total_count <= shownMax) return;
  const detail = `The target shows the first ${shownMax} records of this list only; there may be more.`;
  throw failure("result_limited", detail);
}
