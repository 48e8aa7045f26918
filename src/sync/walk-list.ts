import { untyped, type WalkedPage } from "../client/client.ts";
import type { Operation } from "../core/operation.ts";
import type { JsonObject } from "../models/json.ts";
import { keepHeapSmall } from "../runtime/small-heap.ts";
import type { SyncTarget } from "./target.ts";
import { walkEverywhere } from "./walk-everywhere.ts";

/** Parameters of an operation's path. */
export type Params = Record<string, string>;

/** Every record of a list. Jobs come by ID: no change during the walk moves a record in that order. */
export function walkList(
  { client }: Pick<SyncTarget, "client">,
  name: string,
  params: Params,
): AsyncGenerator<JsonObject> {
  return toRecords(untyped(client).walk(name, { params }));
}

/** Every record of a list that each location has, one location after the other. */
export function walkLocated({ client }: SyncTarget, name: string): AsyncGenerator<JsonObject> {
  return toRecords(walkEverywhere(client, name, {}));
}

async function* toRecords(pages: AsyncIterable<WalkedPage>): AsyncGenerator<JsonObject> {
  for await (const { records } of keepHeapSmall(pages)) yield* records;
}

/** A record as a read of it shows it, with its entity tag. */
export async function readWhole(
  { client }: Pick<SyncTarget, "client">,
  get: Operation,
  params: Params,
): Promise<{ answer: JsonObject; etag: string | null }> {
  const { answer, etag } = await untyped(client).exchange(get.name, { params });
  return { answer: answer as JsonObject, etag };
}

/** The parameters that name each location of the tenant. */
export async function locationsOf(target: SyncTarget): Promise<Params[]> {
  const places: Params[] = [];
  for await (const { id } of walkList(target, "locations.list", {})) places.push({ location_id: String(id) });
  return places;
}
