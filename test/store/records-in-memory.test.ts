import { expect, it, onTestFinished } from "vitest";
import { openService } from "../../src/local/open-service.ts";
import { bindToTenant } from "../../src/store/access/access.ts";
import { noMemories } from "../../src/store/access/memories.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { loadCustomers } from "../../src/store/queries/load-customers.ts";
import type { Customer } from "../../src/store/schema/customer.ts";
import { aJob } from "../support/builders.ts";
import { describeInProcess } from "../support/targets.ts";

describeInProcess("customers in memory", (harness) => {
  it("are shown even when another reader has put a newer one in their place meanwhile", async () => {
    const database = openDatabase(harness.store.data);
    onTestFinished(() => database.close());
    const { tenantId, customerId } = harness.acme;
    const kept = { id: customerId, name: "As it was" } as Customer;
    let isReplaced = false;
    const memory = {
      ...noMemories.customers,
      get: () => {
        const found = isReplaced ? undefined : kept;
        isReplaced = true;
        return found;
      },
    };
    const access = bindToTenant(database.direct(tenantId), tenantId, wholeTenant, {
      ...noMemories,
      customers: memory,
    });
    expect([...(await loadCustomers(access, [customerId])).values()]).toEqual([kept]);
  });

  it("are not those that a dry run or a refused write has read after changing them", async () => {
    const customer = { customer_id: harness.acme.customerId };
    const rename = (name: string, parent_id: number | null = null) => ({
      params: customer,
      body: { name, parent_id },
    });
    await harness.ok("customers.update", { ...rename("Only tried"), dryRun: true });
    await harness.ok("customers.update", rename("In earnest"));
    const shown = async () => (await harness.ok("customers.get", { params: customer })).name;
    expect(await shown()).toBe("In earnest");
    const { acme, service } = harness;
    const refused = service.store.write(
      { tenantId: acme.tenantId, rowScopes: wholeTenant },
      async (store) => {
        await store.customers.update(acme.customerId, { name: "Refused", parent_id: null });
        expect((await store.customers.find(acme.customerId))?.name).toBe("Refused");
        throw new Error("refused");
      },
    );
    await expect(refused).rejects.toThrow("refused");
    await harness.ok("customers.update", rename("At last"));
    expect(await shown()).toBe("At last");
  });

  it("are those that another process has changed since, in the answers and events of new jobs", async () => {
    const { acme } = harness;
    const params = { location_id: acme.locationId };
    await harness.ok("jobs.create", { params, body: aJob(acme) });
    const other = openService({ data: harness.store.data, clock: harness.clock });
    onTestFinished(() => other.store.close());
    await other.store.write({ tenantId: acme.tenantId, rowScopes: wholeTenant }, (store) =>
      store.customers.update(acme.customerId, { name: "Renamed elsewhere", parent_id: null }),
    );
    const renamed = { customer: { name: "Renamed elsewhere" } };
    expect(await harness.ok("jobs.create", { params, body: aJob(acme) })).toMatchObject(renamed);
    expect(JSON.parse(String(harness.store.rows("events").at(-1)?.data))).toMatchObject(renamed);
  });
});
