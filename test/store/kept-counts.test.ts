import { expect, it } from "vitest";
import type { Role } from "../../src/models/user.ts";
import { aJob } from "../support/builders.ts";
import { sqlite } from "../support/databases.ts";
import type { Harness } from "../support/harness.ts";
import { describeInProcess } from "../support/targets.ts";

/** Roles whose counts add up whole locations, and others. */
const roles: readonly Role[] = [
  "Admin",
  "Dispatcher",
  "CrmUser",
  "Driver",
  "ThirdPartyDispatcher",
  "ClientCustomer",
];

const flags = ["completed", "deleted", "failed", "is_dispatched"] as const;

describeInProcess("the total of a list of jobs", (harness) => {
  it("equals the number of its jobs, for all callers and flags, at one location and at all", async () => {
    const { acme, globex } = harness;
    await addJobs(harness, await addLocation(harness));
    const bound = await harness.addCaller({ roles: ["Dispatcher"], location_id: acme.locationId });
    const wrong: string[] = [];
    let shown = 0;
    // On PostgreSQL, test one caller whose counts add up whole locations, and one of the others.
    const some = harness.database === sqlite ? roles : (["Dispatcher", "Driver"] as const);
    for (const as of [...some, bound, globex.caller]) {
      for (const query of everyFilter()) {
        const list = await harness.ok("jobs.list", { as, query: { ...query, page_limit: 1000 } });
        shown += list.results.length;
        if (list.total_count !== list.results.length)
          wrong.push(`${list.total_count} of ${JSON.stringify(query)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(shown).toBeGreaterThan(1000);
    const ofLocation = await harness.ok("locations.jobs", {
      params: { location_id: acme.locationId },
      query: { deleted: true, page_limit: 1000 },
    });
    expect(ofLocation.total_count).toBe(ofLocation.results.length);
  });

  it("counts committed changes only", async () => {
    const { acme } = harness;
    const total = async () => (await harness.ok("jobs.list", { query: { page_limit: 1 } })).total_count;
    const before = await total();
    const create = { params: { location_id: acme.locationId }, body: aJob(acme) };
    await harness.ok("jobs.create", { ...create, dryRun: true });
    expect(await total()).toBe(before);
    await harness.ok("jobs.create", create);
    expect(await total()).toBe(before + 1);
  });
});

/** Returns every combination of absent, false, and true flags. */
function everyFilter(): Record<string, boolean>[] {
  return flags.reduce<Record<string, boolean>[]>(
    (filters, flag) =>
      filters.flatMap((filter) => [filter, { ...filter, [flag]: false }, { ...filter, [flag]: true }]),
    [{}],
  );
}

async function addLocation(harness: Harness): Promise<number> {
  const { id } = await harness.ok("locations.create", { as: "Admin", body: { name: "Second yard" } });
  return id;
}

/** Inserts jobs with every combination of flags at two locations directly. */
async function addJobs(harness: Harness, otherLocationId: number): Promise<void> {
  const { acme, store } = harness;
  const { id } = await harness.ok("jobs.create", {
    params: { location_id: acme.locationId },
    body: aJob(acme),
  });
  store.multiply("jobs", id, 47);
  const truth = (text: string) => `(${text}) = 1`;
  store.execute(`update jobs set is_completed = ${truth("id % 2")}, is_deleted = ${truth("id / 2 % 2")},
    is_failed = ${truth("id / 4 % 2")}, location_id = case id % 3 when 0 then ${otherLocationId} else location_id end,
    truck_id = case id / 8 % 2 when 1 then ${acme.truckId} end
    where tenant_id = ${acme.tenantId}`);
}
