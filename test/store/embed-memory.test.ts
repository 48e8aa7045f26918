import { describe, expect, it, onTestFinished } from "vitest";
import { createMemories } from "../../src/store/access/memories.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { createStore } from "../../src/store/store.ts";
import { aCustomer, aJob } from "../support/builders.ts";
import { describeInProcess } from "../support/targets.ts";

describe("the memory of embedded records", () => {
  const askFor = (loads: number[][]) => async (missing: readonly number[]) => {
    loads.push([...missing]);
    return new Map(missing.map((id) => [id, { id, load: loads.length }]));
  };

  it("keeps records of one state of one tenant, and loads what is missing", async () => {
    const memories = createMemories();
    const loads: number[][] = [];
    const ask = (tenantId: number, revision: number | null, ids: number[]) =>
      memories.forReader(tenantId, revision, () => revision).embeds.recall("asset", ids, askFor(loads));
    await ask(1, 7, [1, 2]);
    expect([...(await ask(1, 7, [1, 2, 3])).values()].map(({ load }) => load)).toEqual([1, 1, 2]);
    await ask(2, 7, [1]);
    await ask(1, 8, [2]);
    await ask(1, null, [2]);
    expect(loads).toEqual([[1, 2], [3], [1], [2], [2]]);
  });

  it("gives nothing to a reader who cannot tell which state it sees, and keeps nothing of it", async () => {
    const memories = createMemories();
    const loads: number[][] = [];
    const settled = () => memories.forReader(1, 7, () => 7).embeds;
    // Somebody committed between the first look at the revision and the first statement.
    const overtaken = () => memories.forReader(1, 7, () => 8).embeds;
    await settled().recall("asset", [1], askFor(loads));
    await overtaken().recall("asset", [1], askFor(loads));
    await overtaken().recall("asset", [2], askFor(loads));
    await settled().recall("asset", [1, 2], askFor(loads));
    expect(loads).toEqual([[1], [1], [2], [2]]);
  });
});

describeInProcess("a job in a list", (harness) => {
  it("shows the records that it embeds as they are after another program has changed them", async () => {
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
    // What is kept now is of this state; the next change is seen as well.
    expect(await show()).toMatchObject(named("Once", "B"));
    await rename("Twice", "C");
    expect(await show()).toMatchObject(named("Twice", "C"));
  });

  it("hides from each caller what it may not see of an asset, whoever has read the job before", async () => {
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
