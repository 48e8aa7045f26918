import { expect, it } from "vitest";
import { createCountMemories } from "../../src/store/access/count-memory.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { describeInProcess } from "../support/targets.ts";

it("counts again after a change, and where nobody can tell whether there was one", async () => {
  const memories = createCountMemories();
  let made = 0;
  const count = (revision: number | null, key = "jobs", now = revision) =>
    memories
      .at(revision, () => now)
      .count(key, async () => {
        made += 1;
        return made;
      });
  expect([await count(1), await count(1), await count(1, "trucks")]).toEqual([1, 1, 2]);
  expect([await count(2), await count(2)]).toEqual([3, 3]);
  // A reader that began before keeps what it counts out of the way of later ones.
  expect([await count(1), await count(2)]).toEqual([4, 5]);
  expect([await count(null), await count(null)]).toEqual([6, 7]);
  // Somebody committed between the first look at the revision and the count.
  expect([await count(3), await count(3, "jobs", 4), await count(3)]).toEqual([8, 9, 8]);
});

describeInProcess("the total of a list", (harness) => {
  it("is that of the records it shows, though others came while its reader waited for its turn", async () => {
    const { locationId, tenantId } = harness.acme;
    const { store } = harness.service;
    const scope = { tenantId, rowScopes: wholeTenant };
    const read = () => store.read(scope, ({ trucks }) => trucks.page(locationId, { index: 1, limit: 1000 }));
    await harness.ok("trucks.create", { params: { location_id: locationId }, body: { name: "First" } });
    const [first] = (await read()).rows;
    if (!first) throw new Error("There is no truck.");
    const { id: _, ...truck } = first;
    const reading = await store.write(scope, async ({ trucks }) => {
      const begun = read();
      await trucks.insert({ ...truck, name: "Second" });
      // A promise would be waited for.
      return { begun };
    });
    const { rows, total } = await reading.begun;
    expect(total).toBe(rows.length);
  });
});
