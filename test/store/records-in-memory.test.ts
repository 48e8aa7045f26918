import { expect, it, onTestFinished } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createStore } from "../../src/store/store.ts";
import { aCustomer, aJob } from "../support/builders.ts";
import { describeInProcess } from "../support/targets.ts";

describeInProcess("customers in memory", (harness) => {
  it("never come from a dry run or a refused write", async () => {
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

  it("follow changes by another process, in the answers and events of new jobs", async () => {
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

describeInProcess("a job in a list", (harness) => {
  it("shows its embedded records after changes by another program", async () => {
    const { acme } = harness;
    const params = { location_id: acme.locationId };
    const type = await harness.ok("asset-types.create", { params, body: { name: "Roll-off" } });
    const dump = await harness.ok("dump-destinations.create", { params, body: { city: "Laurel" } });
    const asset = await harness.ok("assets.create", {
      params,
      body: { asset_type_id: type.id, number: "A" },
    });
    const refers = { asset_id: asset.id, asset_type_id: type.id, dump_location_id: dump.id };
    const job = await harness.ok("jobs.create", { params, body: aJob(acme, refers) });
    const database = openDatabase(harness.store.data);
    const other = createStore(database, () => database.close());
    onTestFinished(() => other.close());
    const show = async () => {
      const shown = await other.read({ tenantId: acme.tenantId, rowScopes: wholeTenant }, ({ jobs }) =>
        jobs.show(acme.locationId, job.id),
      );
      return shown?.computed;
    };
    const named = (name: string, number: string) => ({
      asset: { asset_type: { name }, number },
      asset_type: { name },
      customer: { name },
      dump_location: { city: name },
    });
    await show();
    const rename = async (name: string, number: string) => {
      const customer = { customer_id: acme.customerId };
      await harness.ok("assets.update", { params: { ...params, asset_id: asset.id }, body: { number } });
      await harness.ok("asset-types.update", {
        params: { ...params, asset_type_id: type.id },
        body: { name },
      });
      await harness.ok("dump-destinations.update", {
        params: { ...params, dump_destination_id: dump.id },
        body: { city: name },
      });
      await harness.ok("customers.update", { params: customer, body: { name } });
    };
    await rename("Once", "B");
    expect(await show()).toMatchObject(named("Once", "B"));
    // The cache now has this state. It must notice the next change too.
    expect(await show()).toMatchObject(named("Once", "B"));
    await rename("Twice", "C");
    expect(await show()).toMatchObject(named("Twice", "C"));
  });

  it("hides an asset's private fields from each caller, whoever has read the job before", async () => {
    const { acme } = harness;
    const params = { location_id: acme.locationId };
    const place = { cluster: "Gate", location: { line_1: "1 Dock Road" } };
    const customer = await harness.ok("customers.create", { params, body: aCustomer() });
    const asset = await harness.ok("assets.create", {
      params,
      body: { ...place, customer_id: customer.id, number: "R20-32" },
    });
    const job = await harness.ok("jobs.create", { params, body: aJob(acme, { asset_id: asset.id }) });
    const read = async (as: "Admin" | "ClientCustomer") =>
      (await harness.ok("jobs.get", { as, params: { ...params, job_id: job.id } })).asset;
    const hidden = { cluster: null, customer_id: null, location: null, number: "R20-32" };
    expect(await read("ClientCustomer")).toMatchObject(hidden);
    expect(await read("Admin")).toMatchObject(place);
    expect(await read("ClientCustomer")).toMatchObject(hidden);
    expect(await read("Admin")).toMatchObject(place);
  });
});
