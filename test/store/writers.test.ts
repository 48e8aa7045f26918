import { expect, it } from "vitest";
import { openService } from "../../src/local/open-service.ts";
import { seesTenant } from "../../src/store/access/row-scopes.ts";
import type { Bed } from "../support/bed.ts";
import { aCustomer, aTruck } from "../support/builders.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

const atYard = (bed: Bed) => ({ location_id: bed.acme.locationId });

/** What operations read before they write must still be so when they write. */
describeOnEveryTarget("callers who change the same at once", (bed) => {
  it("make one customer of eight that are the same, and are told of it", async () => {
    const body = aCustomer({ name: "Same at once" });
    const calls = Array.from({ length: 8 }, () =>
      bed.call("customers.create", { body, params: atYard(bed) }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(bed.store.rows("customers").filter(({ name }) => name === "Same at once")).toHaveLength(1);
  });

  it("make no more trucks than the tenant may have", async () => {
    const { tenantId } = bed.acme;
    const there = bed.store.rows("trucks").filter(({ tenant_id }) => tenant_id === tenantId).length;
    bed.store.update("tenants", tenantId, { truck_limit: there + 3 });
    const calls = Array.from({ length: 8 }, () =>
      bed.call("trucks.create", { body: aTruck(), params: atYard(bed) }),
    );
    const made = (await Promise.all(calls)).filter(({ status }) => status === 200);
    expect(made).toHaveLength(3);
    bed.store.update("tenants", tenantId, { truck_limit: null });
  });

  it("make one user of a name", async () => {
    const call = {
      as: "Admin",
      body: { roles: ["CrmUser"], username: "same" },
      params: atYard(bed),
    } as const;
    const answers = await Promise.all(Array.from({ length: 6 }, () => bed.call("users.create", call)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it("lose none of each other's changes, from several programs where one thread can run them", async () => {
    const { tenantId, truckId } = bed.acme;
    bed.store.update("trucks", truckId, { weight: 0 });
    // A second opening of a file would wait for the first, which waits for this thread; shared-file.test.ts has processes.
    const isFile = bed.database.name === "SQLite";
    const other = isFile ? bed.service : openService({ clock: bed.clock, data: bed.store.data });
    const scope = { tenantId, views: seesTenant };
    const addOne = (store: typeof other.store) =>
      store.write(scope, async ({ trucks }) => {
        const truck = await trucks.find(bed.acme.locationId, truckId);
        await trucks.update(truckId, { weight: Number(truck?.weight) + 1 });
      });
    const stores = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? bed.service : other).store);
    await Promise.all(stores.map(addOne));
    if (!isFile) await other.store.close();
    expect(bed.store.rows("trucks").find(({ id }) => id === truckId)?.weight).toBe(20);
  });
});
