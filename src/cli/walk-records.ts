import type { Caller, CallRequest } from "../caller.ts";
import type { Operation } from "../operation.ts";
import type { JsonObject } from "../versions/change.ts";

/** One record of a list: as an object, and as the JSON text that said it. */
export interface WalkedRecord {
  record: JsonObject;
  text: string;
}

/** What is asked of a list; its own paging is left to the walk. */
export type WalkRequest = Pick<CallRequest, "params" | "query" | "version">;

/** Every record of a list operation, page by page, in constant memory, in a store and on a server. */
export async function* walkRecords(
  caller: Caller,
  operation: Operation,
  { params, query, version }: WalkRequest,
): AsyncGenerator<WalkedRecord> {
  for (let index = 1; ; index++) {
    const paged = { ...query, page_index: String(index), page_limit: String(pageLimit) };
    const answer = await caller.call(operation, {
      params,
      query: paged,
      body: undefined,
      version,
      dryRun: false,
    });
    if (answer.kind !== "json") return;
    const page = JSON.parse(answer.text) as { results: JsonObject[]; total_pages: number };
    for (const record of page.results) yield { record, text: JSON.stringify(record) };
    if (index >= page.total_pages) return;
  }
}

const pageLimit = 1000;
