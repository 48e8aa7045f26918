import { expect, it } from "vitest";
import { createCountMemories } from "../../src/store/access/count-memory.ts";

it("counts again after a change, and where nobody can tell whether there was one", async () => {
  const memories = createCountMemories();
  let made = 0;
  const count = (revision: number | null, key = "jobs") =>
    memories.at(revision).count(key, async () => {
      made += 1;
      return made;
    });
  expect([await count(1), await count(1), await count(1, "trucks")]).toEqual([1, 1, 2]);
  expect([await count(2), await count(2)]).toEqual([3, 3]);
  // A reader that began before keeps what it counts out of the way of later ones.
  expect([await count(1), await count(2)]).toEqual([4, 5]);
  expect([await count(null), await count(null)]).toEqual([6, 7]);
});
