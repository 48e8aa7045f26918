import { placeBehind, placeParameter } from "../core/listing.ts";
import { isDocument, type Operation } from "../core/operation.ts";
import { newestVersion } from "../models/api-versions.ts";
import { lastPageOf, type toList } from "../models/page.ts";
import { toJson } from "../models/versions/serializer.ts";

type ListAnswer = ReturnType<typeof toList<unknown>>;

/** Whether an answer is that of a list. */
export function isListAnswer(value: unknown): value is ListAnswer {
  return typeof value === "object" && value !== null && "total_pages" in value && "current_page" in value;
}

/** A list as it was asked for: its parameters as they were given. */
interface AskedList {
  operation: Pick<Operation, "output" | "query" | "reads">;
  /** With what stands before every path of the server. */
  path: string;
  query: Readonly<Record<string, string>>;
}

type Query = Readonly<Record<string, string>>;

/**
 * The Link header of a list (OP-52, RFC 8288), relative to the server's root. `next` leads on while records remain: by the
 * number of a page up to the last viewable one, and from there behind a record, where the list can begin behind one
 * (OP-100). Behind a record nobody knows the page before the first, nor the last until it is reached.
 */
export function toLinks(asked: AskedList, list: ListAnswer): string {
  const { continues, current_limit: limit, current_page: page, total_count: count } = list;
  const { page_after: place, ...filters } = asked.query;
  const isBehind = place !== undefined;
  const lastPage = isBehind ? page : lastPageOf(count, limit);
  const link = (relation: string, index: number, query: Query) => {
    const parameters = { ...query, page_index: String(index), page_limit: String(limit) };
    return `<${asked.path}?${new URLSearchParams(parameters)}>; rel="${relation}"`;
  };
  const toNext = () => {
    if (!isBehind && page < lastPage) return [link("next", page + 1, asked.query)];
    const behind = continues ? behindLast(asked, list) : null;
    return behind === null ? [] : [link("next", 1, { ...filters, ...behind })];
  };
  return [
    link("first", 1, filters),
    ...(page > 1 ? [link("prev", Math.min(page - 1, lastPage), asked.query)] : []),
    ...toNext(),
    ...(isBehind && continues ? [] : [link("last", lastPage, asked.query)]),
  ].join(", ");
}

/** The parameter that begins a page behind the last record of this one; null where there is none, or no record. */
function behindLast(asked: AskedList, list: ListAnswer): Query | null {
  const { output, reads } = asked.operation;
  const { listing } = reads;
  const parameter = placeParameter(asked.operation);
  const last = list.results.at(-1);
  if (parameter === null || last === undefined || isDocument(output)) return null;
  const { results } = JSON.parse(toJson(output, { ...list, results: [last] }, newestVersion));
  return { [parameter]: placeBehind(listing, results[0], asked.query.order === "id" ? "id" : "list") };
}
