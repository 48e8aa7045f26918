import { expect, it } from "vitest";
import { RevisionCache } from "../../src/store/access/memories.ts";

it("gives a value at its revision only, and gives up the one that was not used for longest", () => {
  const cache = new RevisionCache<string, number>(2);
  cache.keep("a", 1, 10);
  cache.keep("b", 1, 20);
  expect([cache.get("a", 1), cache.get("a", 2), cache.get("c", 1)]).toEqual([10, undefined, undefined]);
  cache.keep("c", 1, 30);
  expect([cache.get("a", 1), cache.get("b", 1), cache.get("c", 1)]).toEqual([10, undefined, 30]);
  // A newer value takes the place of the older one, and is the last that was used.
  cache.keep("a", 2, 11);
  cache.keep("d", 1, 40);
  expect([cache.get("a", 1), cache.get("a", 2), cache.get("c", 1)]).toEqual([undefined, 11, undefined]);
});
