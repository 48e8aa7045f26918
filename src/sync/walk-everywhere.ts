import { type Client, untyped, type WalkedPage } from "../client/client.ts";
import type { UntypedRequest } from "../client/untyped.ts";

/** The list of all locations that has the records of a list of each, in the same order. */
const listsOfAll: Readonly<Record<string, string>> = {
  "drivers.list": "drivers.all",
  "trucks.list": "trucks.all",
};

/** Every record of a list that each location has: by the list of all locations, or one location after the other. */
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
