import { expect, it } from "vitest";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { aCustomer, aJob, aTruck } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

const atYard = (harness: Harness) => ({ location_id: harness.acme.locationId });

/** The state that an operation reads must still hold when it writes. */
describeOnEveryTarget("callers who change the same at once", (harness) => {
  it("create one of eight equal customers, and the others get 409", async () => {
    const body = aCustomer({ name: "Same at once" });
    const calls = Array.from({ length: 8 }, () =>
      harness.call("customers.create", { body, params: atYard(harness) }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(harness.store.rows("customers").filter(({ name }) => name === "Same at once")).toHaveLength(1);
  });

  it("stop at the tenant limit of trucks", async () => {
    const { tenantId } = harness.acme;
    const there = harness.store.rows("trucks").filter(({ tenant_id }) => tenant_id === tenantId).length;
    harness.store.update("tenants", tenantId, { truck_limit: there + 3 });
    const calls = Array.from({ length: 8 }, () =>
      harness.call("trucks.create", { body: aTruck(), params: atYard(harness) }),
    );
    const made = (await Promise.all(calls)).filter(({ status }) => status === 200);
    expect(made).toHaveLength(3);
    harness.store.update("tenants", tenantId, { truck_limit: null });
  });

  it("create one user of a name", async () => {
    const call = {
      as: "Admin",
      body: { roles: ["CrmUser"], username: "same" },
      params: atYard(harness),
    } as const;
    const answers = await Promise.all(Array.from({ length: 6 }, () => harness.call("users.create", call)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it("store their changes while dry runs and refusals leave nothing", async () => {
    const kinds = ["real", "dry", "real", "refused", "real", "real", "dry", "real"] as const;
    const before = harness.store.rowCounts();
    const answers = await Promise.all(
      kinds.map((kind) =>
        harness.call("jobs.create", {
          body: aJob(harness.acme, kind === "refused" ? { truck_id: 999_999 } : {}),
          dryRun: kind === "dry",
          params: atYard(harness),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      kinds.map((kind) => (kind === "refused" ? 400 : 200)),
    );
    const after = harness.store.rowCounts();
    for (const table of ["jobs", "events", "audit"])
      expect([table, Number(after[table]) - Number(before[table])]).toEqual([table, 5]);
    const stored = harness.store.rows("jobs").map(({ id }) => id);
    const made = answers.flatMap(({ body }, index) =>
      kinds[index] === "real" ? [(body as { id: number }).id] : [],
    );
    expect(stored.slice(-5)).toEqual([...made].sort((a, b) => a - b));
  });

  it("find their events in the order of their answers", async () => {
    const clients = Array.from({ length: 8 }, async () => {
      const ids: number[] = [];
      for (let count = 0; count < 4; count += 1)
        ids.push((await harness.ok("trucks.create", { body: aTruck(), params: atYard(harness) })).id);
      return ids;
    });
    const made = await Promise.all(clients);
    const events = harness.store.rows("events").filter(({ kind }) => kind === "Truck");
    for (const ids of made) {
      const told = events.map(({ record_id }) => Number(record_id)).filter((id) => ids.includes(id));
      expect(told).toEqual(ids);
    }
  });

  it("do not block readers, which see the previous state", async () => {
    const { locationId, tenantId, truckId } = harness.acme;
    harness.store.update("trucks", truckId, { weight: 1 });
    const scope = { tenantId, rowScopes: wholeTenant };
    const { store } = harness.service;
    const readWeight = () =>
      store.read(scope, async ({ trucks }) => (await trucks.find(locationId, truckId))?.weight);
    await store.write(scope, async ({ trucks }) => {
      await trucks.update(truckId, { weight: 2 });
      expect(await readWeight()).toBe(1);
      expect((await store.accounts.findTenant(tenantId))?.id).toBe(tenantId);
    });
    expect(await readWeight()).toBe(2);
  });
});
