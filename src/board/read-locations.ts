import type { AnswerNamed, Client } from "../client/client.ts";
import { readWhole } from "./read-whole.ts";

export type ListedLocation = AnswerNamed<"locations.list">["results"][number];

/** A command that needs them several times reads them once. */
const read = new WeakMap<Client, Promise<readonly ListedLocation[]>>();

export function readLocations(client: Client): Promise<readonly ListedLocation[]> {
  const known = read.get(client) ?? readWhole(client, "locations.list");
  read.set(client, known);
  // The next read may succeed.
  known.catch(() => read.delete(client));
  return known;
}

export function forgetLocations(client: Client): void {
  read.delete(client);
}
