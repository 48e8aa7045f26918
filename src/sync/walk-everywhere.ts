import type { Caller } from "../core/caller.ts";
import { type WalkedPage, type WalkRequest, walkPages } from "../core/lists/walk-records.ts";
import type { Operation } from "../core/operation.ts";
import { loadOperation } from "../operations/index.ts";

/** The lists of all locations, by those of each, which have the same records in the same order (OP-407). */
const listsOfAll = { "drivers.list": "drivers.all", "trucks.list": "trucks.all" } as const;

/** Every record of a list of each location, of one location after the other: where there is a list of all, by that. */
export async function* walkEverywhere(
  caller: Caller,
  operation: Operation,
  request: WalkRequest,
): AsyncGenerator<Pick<WalkedPage, "records" | "texts">> {
  const { params: _, ...others } = request;
  const { name } = operation;
  if (name === "drivers.list" || name === "trucks.list")
    return yield* walkPages(caller, await loadOperation(listsOfAll[name]), { ...others, params: {} });
  const locations = { params: {}, query: {}, version: request.version };
  for await (const { records } of walkPages(caller, await loadOperation("locations.list"), locations))
    for (const { id } of records) {
      const params = { ...request.params, location_id: String(id) };
      yield* walkPages(caller, operation, { ...request, params });
    }
}
