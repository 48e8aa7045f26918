import type { Caller } from "../../core/caller.ts";
import type { AnswerNamed } from "../../operations/client.ts";
import { readWhole } from "./read-whole.ts";

export type ListedLocation = AnswerNamed<"locations.list">["results"][number];

/** By caller: a command that needs them for several things asks once. */
const read = new WeakMap<Caller, Promise<readonly ListedLocation[]>>();

/** The locations that a caller sees, as they were when a command asked first. */
export function readLocations(caller: Caller): Promise<readonly ListedLocation[]> {
  const known = read.get(caller) ?? readWhole(caller, "locations.list");
  read.set(caller, known);
  // Who asks again after a failure may have more luck.
  known.catch(() => read.delete(caller));
  return known;
}

/** Has them asked for again: whoever follows what changes. */
export function forgetLocations(caller: Caller): void {
  read.delete(caller);
}
