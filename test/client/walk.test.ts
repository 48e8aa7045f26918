import { describe, expect, it } from "vitest";
import { type Client, createClient, untyped } from "../../src/client/client.ts";
import { SeenIds } from "../../src/client/seen-ids.ts";
import type { UntypedRequest } from "../../src/client/untyped.ts";
import { aCustomer, aJob } from "../support/builders.ts";
import { listen } from "../support/listen.ts";
import { clientOfToken } from "../support/local-client.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

async function idsOf(
  client: Client,
  name: string,
  request: UntypedRequest = {},
  meanwhile: (count: number) => Promise<unknown> = async () => undefined,
): Promise<number[]> {
  const ids: number[] = [];
  const query = { page_limit: 2, ...request.query };
  for await (const record of untyped(client).pages(name, { ...request, query })) {
    ids.push(Number(record.id ?? record.customer_id));
    await meanwhile(ids.length);
  }
  return ids;
}

describeInProcess("walking through a list", (shared) => {
  async function openJobs() {
    const harness = await freshHarness(shared);
    const params = { location_id: harness.acme.locationId };
    const days = ["2026-12-05", "2026-12-03", "2026-12-04", "2026-12-01", "2026-12-02"];
    const ids: number[] = [];
    for (const schedule_date of days)
      ids.push((await harness.ok("jobs.create", { params, body: aJob(harness.acme, { schedule_date }) })).id);
    const client = await clientOfToken(harness.service, harness.acme.callers.Dispatcher);
    const update = (job_id: number | undefined, body: object) =>
      harness.ok("jobs.update", { params: { ...params, job_id: job_id ?? 0 }, body });
    return { client, harness, ids, params, update };
  }

  it("returns every customer once, at every version", async () => {
    const { client, harness, params } = await openJobs();
    for (let made = 0; made < 5; made++) await harness.ok("customers.create", { params, body: aCustomer() });
    const { results } = await harness.ok("customers.list");
    const ids = results.map(({ id }) => id);
    expect(await idsOf(client, "customers.list")).toEqual(ids);
    expect(await idsOf(client, "locations.customers", { params, version: "2019/02/08" })).toEqual(ids);
  });

  it("misses no job if earlier ones no longer pass the filter", async () => {
    const { client, ids, update } = await openJobs();
    const query = { completed: false, order: "schedule" };
    const shown = await idsOf(client, "jobs.list", { query }, async (count) => {
      if (count === 2) for (const id of [ids[3], ids[4]]) await update(id, { is_completed: true });
    });
    expect(shown).toHaveLength(5);
  });

  it("returns a job once if the job moves later in the list; sorted by id, it misses no job and ends with new jobs", async () => {
    const { client, harness, ids, params, update } = await openJobs();
    const shown = await idsOf(client, "jobs.list", { query: { order: "schedule" } }, async (count) => {
      if (count === 2) await update(ids[3], { schedule_date: "2026-12-31" });
    });
    expect(shown.toSorted()).toEqual(ids.toSorted());
    let made = 0;
    const byId = await idsOf(client, "jobs.list", {}, async (count) => {
      if (count !== 2) return;
      await update(ids[4], { schedule_date: "2026-11-01" });
      made = (await harness.ok("jobs.create", { params, body: aJob(harness.acme) })).id;
    });
    expect(byId).toEqual([...ids, made]);
  });
});

describe("walking through the list of an older server, which ignores page_after", () => {
  async function serveList(total: number): Promise<Client> {
    const all = [1, 2, 3, 4, 5].map((id) => ({ id }));
    const url = await listen((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://localhost");
      const index = Number(searchParams.get("page_index") ?? 1);
      const limit = Number(searchParams.get("page_limit"));
      const results = all.slice((index - 1) * limit, index * limit);
      const list = { current_limit: limit, current_page: index, results, total_count: total };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
    });
    return createClient({ tenant: 1, token: "a.b", url });
  }

  it("returns the whole list", async () => {
    const client = await serveList(5);
    for (const page_limit of [1, 2, 5, 100])
      expect(await idsOf(client, "customers.list", { query: { page_limit } })).toEqual([1, 2, 3, 4, 5]);
  });

  it("fails instead of ending early if the server hides records", async () => {
    const walk = idsOf(await serveList(100_000), "customers.list");
    await expect(walk).rejects.toMatchObject({ code: "result_limited" });
  });
});

describe("IDs that a walk has returned", () => {
  it("are distinguished from new ones, for any IDs", () => {
    const seen = new SeenIds();
    const ids = [0, 1, 7, 8, 65_535, 65_536, 9_007_199_254_740_991, "a", "1"];
    expect(ids.map((id) => seen.add(id))).toEqual(ids.map(() => true));
    expect(ids.map((id) => seen.add(id))).toEqual(ids.map(() => false));
    expect([seen.add(undefined), seen.add(undefined)]).toEqual([true, true]);
  });
});
