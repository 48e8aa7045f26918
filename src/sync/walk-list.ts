import { walkPages } from "../core/lists/walk-records.ts";
import type { Operation } from "../core/operation.ts";
import { newestVersion } from "../models/api-versions.ts";
import type { JsonObject } from "../models/json.ts";
import { loadOperation } from "../operations/index.ts";
import type { SyncTarget } from "./target.ts";

/** Parameters of an operation's path. */
export type Params = Record<string, string>;

/** Every record of a list, by id: no change that is made meanwhile moves a record in that order. */
export async function* walkList(
  target: SyncTarget,
  operation: Operation,
  params: Params,
): AsyncGenerator<JsonObject> {
  const request = { params, query: {}, version: newestVersion, order: "id" } as const;
  for await (const { records } of walkPages(target.caller, operation, request)) yield* records;
}

/** The parameters that name each location of the tenant. */
export async function locationsOf(target: SyncTarget): Promise<Params[]> {
  const places: Params[] = [];
  for await (const { id } of walkList(target, await loadOperation("locations.list"), {}))
    places.push({ location_id: String(id) });
  return places;
}
