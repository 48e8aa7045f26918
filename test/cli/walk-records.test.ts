import { describe, expect, it, onTestFinished } from "vitest";
import { authenticate, toTenantActor } from "../../src/auth/tokens.ts";
import type { Caller } from "../../src/core/caller.ts";
import { SeenIds } from "../../src/core/lists/seen-ids.ts";
import { type WalkRequest, walkRecords } from "../../src/core/lists/walk-records.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { loadOperation, type OperationName } from "../../src/operations/index.ts";
import { aCustomer, aJob, type Json } from "../support/builders.ts";
import type { Harness } from "../support/harness.ts";
import { listen } from "../support/listen.ts";
import { connectCaller, createLocalCaller } from "../support/local-caller.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

describeInProcess("a walk", (shared) => {
  async function makeHarness(
    jobs: readonly Json[],
  ): Promise<{ harness: Harness; caller: Caller; ids: number[] }> {
    const harness = await freshHarness(shared);
    const params = { location_id: harness.acme.locationId };
    const ids: number[] = [];
    for (const changes of jobs)
      ids.push((await harness.ok("jobs.create", { params, body: aJob(harness.acme, changes) })).id);
    const { token, tenantId } = harness.acme.callers.Dispatcher;
    const caller = createLocalCaller(
      harness.service,
      await toTenantActor(harness.service, await authenticate(harness.service, `Bearer ${token}`), tenantId),
    );
    return { harness, caller, ids };
  }

  async function idsOf(
    caller: Caller,
    name: OperationName,
    request: Partial<WalkRequest> = {},
    meanwhile: (count: number) => Promise<unknown> = async () => undefined,
  ): Promise<number[]> {
    const asked = { params: {}, query: { page_limit: "2" }, version: newestVersion, ...request };
    const ids: number[] = [];
    for await (const { record, text } of walkRecords(caller, await loadOperation(name), asked)) {
      expect(JSON.parse(text)).toEqual(record);
      ids.push(Number(record.id ?? record.customer_id));
      await meanwhile(ids.length);
    }
    return ids;
  }

  const days = ["2026-12-05", "2026-12-03", "2026-12-04", "2026-12-01", "2026-12-02"];
  const jobs = days.map((schedule_date) => ({ schedule_date }));

  it("shows jobs in the list's order, and by id where that is asked for", async () => {
    const { caller, ids } = await makeHarness(jobs);
    const [a, b, c, d, e] = ids;
    expect(await idsOf(caller, "jobs.list")).toEqual([d, e, b, c, a]);
    expect(await idsOf(caller, "jobs.list", { order: "id" })).toEqual(ids);
    expect(await idsOf(caller, "jobs.list", { order: "id", after: String(c) })).toEqual([d, e]);
  });

  it("shows every customer once, at every version", async () => {
    const { harness, caller } = await makeHarness([]);
    const params = { location_id: harness.acme.locationId };
    for (let made = 0; made < 5; made++) await harness.ok("customers.create", { params, body: aCustomer() });
    const { results } = await harness.ok("customers.list");
    const ids = results.map(({ id }) => id);
    expect(await idsOf(caller, "customers.list")).toEqual(ids);
    const old = { params: { location_id: String(params.location_id) }, version: "2019/02/08" } as const;
    expect(await idsOf(caller, "locations.customers", old)).toEqual(ids);
  });

  it("loses no job because those before it no longer pass the filter", async () => {
    const { harness, caller, ids } = await makeHarness(jobs);
    const location_id = harness.acme.locationId;
    const query = { page_limit: "2", completed: "false" };
    const complete = async (count: number) => {
      if (count !== 2) return;
      for (const job_id of [ids[3], ids[4]])
        await harness.ok("jobs.update", {
          params: { location_id, job_id: job_id ?? 0 },
          body: { is_completed: true },
        });
    };
    expect(await idsOf(caller, "jobs.list", { query }, complete)).toHaveLength(5);
  });

  it("shows no job twice that moves on in the list, and by id none too few either", async () => {
    const { harness, caller, ids } = await makeHarness(jobs);
    const params = { location_id: harness.acme.locationId };
    const move = (job_id: number | undefined, schedule_date: string) =>
      harness.ok("jobs.update", { params: { ...params, job_id: job_id ?? 0 }, body: { schedule_date } });
    const shown = await idsOf(caller, "jobs.list", {}, async (count) => {
      if (count === 2) await move(ids[3], "2026-12-31");
    });
    expect(shown.toSorted()).toEqual(ids.toSorted());
    const byId = await idsOf(caller, "jobs.list", { order: "id" }, async (count) => {
      if (count === 2) await move(ids[4], "2026-11-01");
    });
    expect(byId).toEqual(ids);
  });

  it("by id ends with what is made meanwhile", async () => {
    const { harness, caller, ids } = await makeHarness(jobs);
    const params = { location_id: harness.acme.locationId };
    let made = 0;
    const shown = await idsOf(caller, "jobs.list", { order: "id" }, async (count) => {
      if (count === 1) made = (await harness.ok("jobs.create", { params, body: aJob(harness.acme) })).id;
    });
    expect(shown).toEqual([...ids, made]);
  });

  it("goes on by the number of the page where a list knows no places", async () => {
    const { harness } = await makeHarness([]);
    const { results } = await harness.ok("tokens.list", { as: "Admin" });
    expect(results.length).toBeGreaterThan(4);
    const { token, tenantId } = harness.acme.callers.Admin;
    const admin = await toTenantActor(
      harness.service,
      await authenticate(harness.service, `Bearer ${token}`),
      tenantId,
    );
    expect(await idsOf(createLocalCaller(harness.service, admin), "tokens.list")).toEqual(
      results.map(({ id }) => id),
    );
  });
});

describe("a walk of another server's list", () => {
  const all = [1, 2, 3, 4, 5].map((id) => ({ id }));

  /** A server of the interface that ignores page_after. */
  async function serveList(total = all.length): Promise<Caller> {
    const address = await listen((request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      const isTenants = url.pathname === "/tenants";
      const index = Number(url.searchParams.get("page_index") ?? 1);
      const limit = Number(url.searchParams.get("page_limit"));
      response.writeHead(200, { "content-type": "application/json" });
      const results = isTenants ? [{ id: 1, name: "One" }] : all.slice((index - 1) * limit, index * limit);
      const list = {
        current_limit: limit,
        current_page: index,
        results,
        total_count: total,
        total_pages: Math.ceil(all.length / limit),
      };
      response.end(JSON.stringify(list));
    });
    const caller = await connectCaller(address, "a.b", null, ([tenant]) => {
      if (!tenant) throw new Error("The server has no tenant.");
      return tenant;
    });
    onTestFinished(() => caller.close());
    return caller;
  }

  async function walk(caller: Caller, limit: string): Promise<unknown[]> {
    const asked = { params: {}, query: { page_limit: limit }, version: newestVersion };
    const ids = [];
    for await (const { record } of walkRecords(caller, await loadOperation("customers.list"), asked))
      ids.push(record.id);
    return ids;
  }

  it("is whole when the server ignores our parameter", async () => {
    const caller = await serveList();
    for (const limit of ["1", "2", "5", "100"]) expect(await walk(caller, limit)).toEqual([1, 2, 3, 4, 5]);
  });

  it("fails rather than end early where the server shows no more", async () => {
    await expect(walk(await serveList(100_000), "2")).rejects.toMatchObject({
      code: "result_limited",
    });
  });
});

describe("ids that were seen", () => {
  it("are told from new ones, whatever they are", () => {
    const seen = new SeenIds();
    const ids = [0, 1, 7, 8, 65_535, 65_536, 9_007_199_254_740_991, "a", "1"];
    expect(ids.map((id) => seen.add(id))).toEqual(ids.map(() => true));
    expect(ids.map((id) => seen.add(id))).toEqual(ids.map(() => false));
    expect([seen.add(undefined), seen.add(undefined)]).toEqual([true, true]);
  });
});
