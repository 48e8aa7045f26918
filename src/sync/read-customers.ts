import type { JsonObject } from "../models/json.ts";
import type { SyncTarget } from "./target.ts";
import { locationsOf, walkList } from "./walk-list.ts";

/**
 * Reads customers by id, each with what all its locations keep of it, by reading the lists of the locations side by side:
 * they have the same order. Only the list of a customer's addresses shows those that are inactive.
 */
export async function* readCustomers(target: SyncTarget): AsyncGenerator<JsonObject> {
  const walks = (await locationsOf(target)).map((params) => walkList(target, "locations.customers", params));
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
