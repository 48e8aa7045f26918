import { placeBehind } from "../core/listing.ts";
import type { ClientOperation } from "../operations/to-operation-table.ts";
import type { Exchange } from "./call-types.ts";
import { type Connection, exchange, requireOperation, toQuery } from "./exchange.ts";
import { toUnreachableError } from "./refusal.ts";
import type { UntypedRequest } from "./untyped.ts";

interface Page {
  current_limit: number;
  results: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Reads the records of a list, page by page. Where pages can begin behind a record they do, so that records which come or go
 * meanwhile push no other one out; else the `next` of `Link` leads on. Where changes move records in the list's order, the
 * walk goes by id, unless the caller names an order or a place.
 */
export async function* walk(
  connection: Connection,
  name: string,
  request: UntypedRequest = {},
): AsyncGenerator<unknown, void, undefined> {
  const { walk } = requireOperation(name).traits;
  const asked = new Set<string>();
  let query: Query | null = toStart(walk, request.query ?? {});
  const order = query.order === "id" ? "id" : "list";
  while (query) {
    requireNew(connection, asked, toQuery(query));
    const { answer, headers }: Exchange<unknown> = await exchange(connection, name, { ...request, query });
    const page = requireList(name, answer);
    yield* page.results;
    query = walk ? behind(walk, page, query, order) : nextOf(headers.get("link"));
  }
}

function toStart(walk: WalkedBy | undefined, query: Query): Query {
  if (walk?.order !== "schedule" || query.order || query.page_after) return query;
  return { ...query, order: "id", page_after: "0" };
}

/** Notes that a page is asked for. Throws when it was asked for before: that walk would never end. */
function requireNew({ url }: Connection, asked: Set<string>, query: string): void {
  if (asked.has(query)) throw toUnreachableError(`${url} leads from ${query || "a page"} back to it.`, null);
  asked.add(query);
}

function requireList(name: string, answer: unknown): Page {
  const page: { results?: unknown; current_limit?: unknown } = Object(answer);
  if (Array.isArray(page.results))
    return { current_limit: Number(page.current_limit), results: page.results };
  throw new TypeError(`pages: ${name} does not answer a list.`);
}

type WalkedBy = NonNullable<ClientOperation["traits"]["walk"]>;
type Query = NonNullable<UntypedRequest["query"]>;

/** Asks for what follows the last record of a page; null where the list ends with it. */
function behind(walk: WalkedBy, page: Page, query: Query, order: "id" | "list"): Query | null {
  const last = page.results.at(-1);
  if (!last || page.results.length < page.current_limit) return null;
  const { page_index: _number, ...rest } = query;
  return { ...rest, [walk.by]: placeBehind(walk, last, order) };
}

/** The query of the next page, by the Link header (RFC 8288). */
function nextOf(link: string | null): Query | null {
  const [, query] = /<[^>]*\?([^>]*)>;\s*rel="?next"?/.exec(link ?? "") ?? [];
  return query === undefined ? null : Object.fromEntries(new URLSearchParams(query));
}
