import { idOfListed, placeBehind } from "../core/listing.ts";
import type { JsonObject } from "../models/json.ts";
import { lastPageOf, pageIndexMax, viewableRecordsMax } from "../models/page-limits.ts";
import type { ClientOperation } from "../operations/to-operation-table.ts";
import { type Connection, exchange, requireOperation } from "./exchange.ts";
import { toServerError, toUnreachableError } from "./refusal.ts";
import { SeenIds } from "./seen-ids.ts";
import type { UntypedRequest, WalkedPage } from "./untyped.ts";

type Query = NonNullable<UntypedRequest["query"]>;
type WalkedBy = NonNullable<ClientOperation["traits"]["walk"]>;

/** Larger pages are a few percent faster and take more memory. */
const pageLimit = 200;

/**
 * Reads a list page by page in constant memory; each record comes once. If the list allows, each page starts after the
 * last record, so that concurrent writes hide no record. Throws result_limited if the server shows no further records.
 */
export async function* walkPages(
  connection: Connection,
  name: string,
  request: UntypedRequest = {},
): AsyncGenerator<WalkedPage, void, undefined> {
  const { walk } = requireOperation(name).traits;
  const { page_index: _, ...start }: Query = { page_limit: pageLimit, ...request.query };
  const seen = new SeenIds();
  const places = new Set<string>();
  let query: Query = toStart(walk, start);
  let isByNumber = walk === undefined;
  for (let index = 1; ; index += 1) {
    const { answer } = await exchange(connection, name, { ...request, query });
    const page = requirePage(name, answer);
    let after = isByNumber ? null : placeAfter(walk, page, query);
    if (after !== null && after === String(query[walk?.by ?? ""])) {
      // An old server ignores the parameter and sends its first page.
      isByNumber = true;
      after = null;
      index = 1;
    }
    const records = page.results.filter((record) => seen.add(idOfListed(walk, record)));
    if (records.length > 0) yield { after, records };
    if (isByNumber) {
      if (!hasNext(connection, page, index)) return;
      query = { ...start, page_index: index + 1 };
    } else {
      if (after === null || page.results.length < page.current_limit) return;
      if (places.size === places.add(after).size)
        throw toUnreachableError(`${connection.url} repeats the page after ${after}.`);
      query = { ...query, [walk?.by ?? ""]: after };
    }
  }
}

/** null for a page without records. */
function placeAfter(walk: WalkedBy | undefined, { results }: Page, { order }: Query): string | null {
  const last = results.at(-1);
  return last ? placeBehind(walk, last, order === "id" ? "id" : "list") : null;
}

function toStart(walk: WalkedBy | undefined, query: Query): Query {
  if (walk?.order !== "schedule" || query.order || query.page_after) return query;
  return { ...query, order: "id", page_after: "0" };
}

interface Page {
  current_limit: number;
  results: readonly JsonObject[];
  total_count: number;
}

function requirePage(name: string, answer: unknown): Page {
  const { current_limit, results, total_count }: Partial<Record<keyof Page, unknown>> = Object(answer);
  if (!Array.isArray(results)) throw new TypeError(`pages: ${name} does not answer a list.`);
  return { current_limit: Number(current_limit), results, total_count: Number(total_count) };
}

/** Throws result_limited if more records may follow that the server does not show. */
function hasNext({ url }: Connection, page: Page, index: number): boolean {
  const { current_limit: limit, results, total_count: count } = page;
  if (results.length > 0 && index < lastPageOf(count, limit)) return true;
  const shownMax = Math.min(viewableRecordsMax, pageIndexMax * limit);
  if (count < viewableRecordsMax && !(count > shownMax)) return false;
  const detail = `${url} shows only the first ${shownMax} records of this list.`;
  throw toServerError("result_limited", detail, {});
}
