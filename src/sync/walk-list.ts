import { type Client, untyped, type WalkedPage } from "../client/client.ts";
import type { UntypedRequest } from "../client/untyped.ts";
import type { Operation } from "../core/operation.ts";
import type { JsonObject } from "../models/json.ts";
import { keepHeapSmall } from "../runtime/small-heap.ts";
import type { SyncTarget } from "./target.ts";

export type Params = Record<string, string>;

/** Jobs come by ID: in that order no change moves a record during the read. */
export function walkList(
  { client }: Pick<SyncTarget, "client">,
  name: string,
  params: Params,
): AsyncGenerator<JsonObject> {
  return toRecords(untyped(client).walk(name, { params }));
}

/** Location by location. */
export function walkLocated({ client }: SyncTarget, name: string): AsyncGenerator<JsonObject> {
  return toRecords(walkEverywhere(client, name, {}));
}

async function* toRecords(pages: AsyncIterable<WalkedPage>): AsyncGenerator<JsonObject> {
  for await (const { records } of keepHeapSmall(pages)) yield* records;
}

/** Includes the entity tag. */
export async function readWhole(
  { client }: Pick<SyncTarget, "client">,
  get: Operation,
  params: Params,
): Promise<{ answer: JsonObject; etag: string | null }> {
  const { answer, etag } = await untyped(client).exchange(get.name, { params });
  return { answer: answer as JsonObject, etag };
}

/** Lists of all locations with the records, in order, of the lists of each location. */
const listsOfAll: Readonly<Record<string, string>> = {
  "drivers.list": "drivers.all",
  "trucks.list": "trucks.all",
};

/** Uses the list of all locations, or reads location by location. */
export async function* walkEverywhere(
  client: Client,
  name: string,
  { params, ...request }: UntypedRequest,
): AsyncGenerator<WalkedPage> {
  const ofAll = listsOfAll[name];
  if (ofAll !== undefined) return yield* untyped(client).walk(ofAll, request);
  for await (const { id } of client.pages("locations.list"))
    yield* untyped(client).walk(name, { ...request, params: { ...params, location_id: id } });
}

/** Merges the lists of all locations, ordered by id. Only a customer's own list shows inactive addresses. */
export async function* readCustomers(target: SyncTarget): AsyncGenerator<JsonObject> {
  const walks: AsyncGenerator<JsonObject>[] = [];
  for await (const { id } of walkList(target, "locations.list", {}))
    walks.push(walkList(target, "locations.customers", { location_id: String(id) }));
  const heads = await Promise.all(walks.map((walk) => walk.next()));
  for (;;) {
    const id = Math.min(
      ...heads.map(({ done, value }) => (done ? Number.POSITIVE_INFINITY : Number(value.id))),
    );
    if (id === Number.POSITIVE_INFINITY) return;
    const locations: JsonObject[] = [];
    for (const [index, walk] of walks.entries()) {
      const head = heads[index];
      if (!head || head.done || head.value.id !== id) continue;
      locations.push(head.value);
      heads[index] = await walk.next();
    }
    const addresses: JsonObject[] = [];
    for await (const record of walkList(target, "addresses.list", { customer_id: String(id) }))
      addresses.push(record);
    yield { ...locations[0], addresses, locations };
  }
}
