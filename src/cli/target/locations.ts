import type { AnswerNamed, Client } from "../../client/client.ts";
import { readWhole } from "./read-whole.ts";

export type ListedLocation = AnswerNamed<"locations.list">["results"][number];

/** By caller: a command that needs them for several things asks once. */
const read = new WeakMap<Client, Promise<readonly ListedLocation[]>>();

/** The locations that a caller sees, as they were when a command asked first. */
export function readLocations(client: Client): Promise<readonly ListedLocation[]> {
  const known = read.get(client) ?? readWhole(client, "locations.list");
  read.set(client, known);
  // Who asks again after a failure may have more luck.
  known.catch(() => read.delete(client));
  return known;
}

/** Has them asked for again: whoever follows what changes. */
export function forgetLocations(client: Client): void {
  read.delete(client);
}
