import type { Caller } from "../../core/caller.ts";
import { type AnswerNamed, createClient } from "../../operations/client.ts";

export type ListedLocation = AnswerNamed<"locations.list">["results"][number];

/** By caller: a command that needs them for several things asks once. */
const read = new WeakMap<Caller, Promise<readonly ListedLocation[]>>();

/** The locations that a caller sees, as they were when a command asked first. */
export function readLocations(caller: Caller): Promise<readonly ListedLocation[]> {
  const known =
    read.get(caller) ?? createClient(caller).list("locations.list", { query: { page_limit: 1000 } });
  read.set(caller, known);
  // Who asks again after a failure may have more luck.
  known.catch(() => read.delete(caller));
  return known;
}
