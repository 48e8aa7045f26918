import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { toActor } from "../../src/core/actor.ts";
import { callOperation } from "../../src/core/call-operation.ts";
import { clientOf } from "../../src/http/local-client.ts";
import { newestVersion } from "../../src/models/api-versions.ts";
import { CreateJobRequestBodyModel } from "../../src/models/create-job.ts";
import { jobTypes } from "../../src/models/job-types.ts";
import { parseModel } from "../../src/models/parse.ts";
import { roles } from "../../src/models/user.ts";
import { createJob } from "../../src/operations/jobs/create-job.ts";
import { toEpochMs, toTimestamp } from "../../src/runtime/clock.ts";
import { databases } from "../support/databases.ts";
import { testStart } from "../support/test-clock.ts";
import { type DemoJob, type DemoStore, jobsOf, makeDemoStore, readAs } from "./demo-store.ts";

const dayInMs = 86_400_000;
const today = testStart.slice(0, 10);

const isOpen = (job: DemoJob) => !job.is_completed && !job.is_failed && !job.is_declined && !job.is_deleted;
const isToday = (job: DemoJob) => job.schedule_date?.startsWith(today) ?? false;

function countBy<T>(list: readonly T[], keyOf: (entry: T) => unknown): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of list) counts[String(keyOf(entry))] = (counts[String(keyOf(entry))] ?? 0) + 1;
  return counts;
}

/** The fields of a request that have a value. */
function toBody(job: DemoJob): Record<string, unknown> {
  const names = Object.keys(CreateJobRequestBodyModel.shape);
  return Object.fromEntries(
    names.flatMap((name) => (job[name] === null || job[name] === undefined ? [] : [[name, job[name]]])),
  );
}

// The demo is the same on both databases; tests of the program create it on each.
describe.each(databases.slice(0, 1))("a demo store on $name", (kind) => {
  let demo: DemoStore;
  let jobs: DemoJob[];

  beforeAll(async () => {
    demo = await makeDemoStore(kind);
    jobs = jobsOf(demo);
  });
  afterAll(() => demo.close());

  const rows = (table: string) => demo.database.rows(table);
  const anotherDemo = async (options: Parameters<typeof makeDemoStore>[1]) => {
    const another = await makeDemoStore(kind, options);
    onTestFinished(() => another.close());
    return another;
  };

  it("has the promised number of records", () => {
    const tables = ["assets", "customers", "drivers", "hooks", "jobs", "locations", "tenants", "trucks"];
    expect(Object.fromEntries(tables.map((table) => [table, rows(table).length]))).toEqual({
      assets: 150,
      customers: 200,
      drivers: 20,
      hooks: 2,
      jobs: 2000,
      locations: 3,
      tenants: 2,
      trucks: 20,
    });
  });

  it("uses its first tenant, its first location and their owner by default", () => {
    expect(demo.facts).toEqual({ tenantId: 1, locationId: 1, user: "olivia" });
  });

  it("is marked as created by demo", async () => {
    expect(await demo.service.store.metadata.get("made_by")).toBe("demo");
  });

  it("refuses a store that has a tenant, and leaves it unchanged", async () => {
    const small = await anotherDemo({ jobs: 10 });
    const { fillDemoStore } = await import("../../src/demo/fill-demo-store.ts");
    const before = small.database.contents();
    await expect(fillDemoStore(small.service, clientOf, { seed: 2, jobs: 10 })).rejects.toMatchObject({
      code: "store_exists",
    });
    expect(small.database.contents()).toEqual(before);
  });

  describe("and its seed", () => {
    it("creates the same data from the same seed at the same time, and other data from another", async () => {
      const [one, again] = [await anotherDemo({ jobs: 300 }), await anotherDemo({ jobs: 300 })];
      expect(again.database.contents()).toEqual(one.database.contents());
      const other = await anotherDemo({ jobs: 300, seed: 2 });
      const names = (store: DemoStore) => store.database.rows("customers").map((row) => row.name);
      expect(names(other)).not.toEqual(names(one));
      expect(jobsOf(other).map(toBody)).not.toEqual(jobsOf(one).map(toBody));
    });
  });

  describe("and its people", () => {
    it("has one owner for both tenants", async () => {
      const owners = rows("users").filter((user) => user.username === "olivia");
      expect(owners.map((user) => user.tenant_id)).toEqual([1, 2]);
      expect(new Set(owners.map((user) => user.uid)).size).toBe(1);
      expect((await readAs(demo, "olivia", "tenants.list")).answer.total_count).toBe(2);
    });

    it("has the hauler that works for the first tenant, connected, and a code for each tenant", async () => {
      const [hauler] = (await readAs(demo, "tess", "haulers.list")).answer.results;
      expect(hauler.id).toBe(rows("users").find((user) => user.username === "tess")?.third_party_hauler_id);
      const params = { hauler_uuid: hauler.id };
      const { results } = (await readAs(demo, "tess", "haulers.connections", { params })).answer;
      expect(results).toMatchObject([{ is_approved: true, provider_id: 1 }]);
      expect(rows("tenants").map(({ code }) => code)).toEqual(["CAPITAL", "BLUEGRASS"]);
    });

    it("has users of every role in the first tenant", () => {
      const ofFirst = rows("users").filter((user) => user.tenant_id === 1);
      expect(new Set(ofFirst.flatMap((user) => JSON.parse(String(user.roles))))).toEqual(new Set(roles));
    });

    // A user without the needed binding sees nothing.
    it.each(["olivia", "adam", "dana", "nora", "cyrus", "clara", "tess", "drew", "theo"])(
      "lets %s see jobs",
      async (username) => {
        const { answer, problems } = await readAs(demo, username, "jobs.list");
        expect(problems).toEqual([]);
        expect(answer.total_count).toBeGreaterThan(0);
      },
    );

    it.each([
      ["clara", "ClientCustomer"],
      ["drew", "Driver"],
      ["nora", "Dispatcher of one yard"],
      ["tess", "ThirdPartyDispatcher"],
      ["theo", "ThirdPartyDriver"],
    ])("shows %s, a %s, only their own jobs", async (username) => {
      const all = jobs.filter((job) => job.tenant_id === 1).length;
      expect((await readAs(demo, username, "jobs.list")).answer.total_count).toBeLessThan(all);
    });
  });

  describe("and its jobs", () => {
    it("has several jobs of every type", () => {
      const shares = countBy(jobs, (job) => job.type);
      expect(Object.keys(shares).sort()).toEqual([...jobTypes].sort());
      expect(Math.min(...Object.values(shares))).toBeGreaterThan(80);
    });

    it("has jobs in every state, in the middle of a working day", async () => {
      const atNoon = jobsOf(await anotherDemo({ now: `${today}T17:00:00.000000` }));
      const states: Record<string, (job: DemoJob) => boolean> = {
        "acknowledged and open": (job) => isOpen(job) && job.is_acknowledged === true,
        "completed by a driver": (job) => job.completed_by_driver === 1,
        "completed by the desk": (job) => job.is_completed && job.completed_by_driver === 0,
        confirmed: (job) => job.confirmed_on !== null,
        declined: (job) => job.is_declined,
        deleted: (job) => job.is_deleted,
        "failed, with a reason": (job) => job.is_failed && job.fail_reason !== null,
        "of a hauler": (job) => job.third_party_hauler_id !== null,
        recurring: (job) => job.recur_enabled === true,
        returned: (job) => job.returned_by !== null,
        "returned by a driver": (job) => job.returned_by_driver === 1,
        "rolled over": (job) => Number(job.times_rolled_over) > 0,
        "under way": (job) => isOpen(job) && job.arrived_on !== null,
        unscheduled: (job) => job.schedule_date === null,
        "wanting a pickup": (job) => job.pickup_date !== null,
        "with a long note": (job) => String(job.dispatcher_notes).length > 700,
        "without a truck": (job) => isOpen(job) && job.truck_id === null,
      };
      const missing = Object.keys(states).filter((state) => !atNoon.some((job) => states[state]?.(job)));
      expect(missing).toEqual([]);
    });

    it("has a full day today, finished jobs in the past, and only open jobs in the future", () => {
      const scheduled = jobs.filter((job) => job.schedule_date !== null);
      const past = scheduled.filter((job) => String(job.schedule_date) < today);
      const ahead = scheduled.filter((job) => String(job.schedule_date) > testStart);
      expect(scheduled.filter(isToday).length).toBe(100);
      expect(past.length).toBeGreaterThan(1000);
      expect(past.filter(isOpen)).toEqual([]);
      expect(ahead.length).toBeGreaterThan(200);
      expect(ahead.filter((job) => job.is_completed || job.is_failed)).toEqual([]);
    });

    it("gives every truck jobs today, or a reason for being out of service", () => {
      for (const truck of rows("trucks")) {
        const own = jobs.filter((job) => job.truck_id === truck.id);
        const openToday = own.filter((job) => isToday(job) && isOpen(job));
        if (truck.out_of_service === 0) {
          expect(openToday.length, String(truck.name)).toBeGreaterThan(0);
          continue;
        }
        expect(truck.notes).toEqual(expect.stringMatching(/\w{3,}/));
        expect(own.filter(isOpen), String(truck.name)).toEqual([]);
        expect(own.length, String(truck.name)).toBeGreaterThan(10);
      }
      expect(countBy(rows("trucks"), (truck) => truck.out_of_service)).toEqual({ 0: 18, 1: 2 });
    });

    it.each([
      ["00:00", "2026-03-01T05:00", 72],
      ["11:30", "2026-03-01T16:30", 400],
      ["23:59", "2026-03-02T04:59", 72],
      ["23:59", "2026-03-02T04:59", 400],
    ])(
      "leaves jobs for every truck at %s there, and contains no later facts (%s, %i jobs)",
      async (_, time, count) => {
        const now = `${time}:00.000000`;
        const timely = jobsOf(await anotherDemo({ jobs: count, now }));
        const open = timely.filter((job) => isOpen(job) && job.schedule_date?.startsWith("2026-03-01"));
        expect(new Set(open.map((job) => job.truck_id).filter((id) => id !== null)).size).toBe(18);
        const told = ["created_on", "last_updated_on", "dispatched_on", "arrived_on", "completed_on"];
        expect(timely.filter((job) => told.some((field) => String(job[field] ?? "") > now))).toEqual([]);
      },
    );

    it("was created by realistic requests: each body was valid at its time", () => {
      const problems = jobs.flatMap((job) => {
        const naming = { prefix: `job ${job.id}: `, unknownCode: "unknown_field" } as const;
        const parsed = parseModel(CreateJobRequestBodyModel, toBody(job), job.last_updated_on, naming);
        return parsed.violations.map((violation) => violation.detail);
      });
      expect(problems).toEqual([]);
    });

    it("has open jobs that jobs.create would accept unchanged", async () => {
      const open = jobs.filter((job) => isOpen(job) && job.tenant_id === 1);
      const user = await demo.service.store.accounts.findUser(1, "dana");
      if (!user) throw new Error("The demo has no dana.");
      for (const job of open.filter((_, index) => index % 5 === 0)) {
        await callOperation(demo.service, createJob, {
          actor: toActor(1, user, null, null),
          body: async () => toBody(job),
          dryRun: true,
          params: { location_id: String(job.location_id) },
          query: {},
          requestId: demo.service.makeUuid(),
          version: newestVersion,
        });
      }
      expect(open.length).toBeGreaterThan(250);
    });

    it("has the events of each job in order", () => {
      const steps = [
        "created_on",
        "confirmed_on",
        "dispatched_on",
        "arrived_on",
        "arrived_at_destination_on",
        "started_on",
        "departed_on",
        "weighed_on",
        "dumped_on",
        "completed_on",
      ];
      const disordered = jobs.filter((job) => {
        const moments = steps.map((step) => job[step]).filter((moment) => moment !== null);
        return moments.some((moment, index) => index > 0 && String(moment) < String(moments[index - 1]));
      });
      expect(disordered).toEqual([]);
      expect(jobs.filter((job) => job.last_updated_on < job.created_on)).toEqual([]);
    });

    it("drops assets only in jobs of type D and E", () => {
      const dropping = jobs.filter((job) => job.asset_dropped_id !== null);
      expect(new Set(dropping.map((job) => job.type))).toEqual(new Set(["D", "E"]));
    });

    it("has no requirements that the drivers have not met", () => {
      const requirements = ["image", "material", "materials", "signature", "weights"];
      const owing = jobs.filter(
        (job) =>
          job.completed_by_driver === 1 && requirements.some((name) => job[`require_${name}`] === true),
      );
      expect(owing).toEqual([]);
    });
  });

  describe("and its references", () => {
    const byId = (table: string) => new Map(rows(table).map((row) => [row.id, row]));

    it("creates each customer at the location of its jobs, before the jobs", () => {
      const customers = byId("customers");
      const atLocation = new Set(
        rows("customer_locations").map((row) => `${row.customer_id}@${row.location_id}`),
      );
      for (const { created_on, customer_id, location_id, requested_by } of jobs) {
        expect(atLocation).toContain(`${customer_id}@${location_id}`);
        expect(atLocation).toContain(`${requested_by}@${location_id}`);
        expect(String(customers.get(customer_id)?.created_on) < created_on).toBe(true);
      }
    });

    it("has each job at a working address of its customer", () => {
      const addresses = byId("addresses");
      for (const { address_id, customer_id } of jobs) {
        expect(addresses.get(address_id)).toMatchObject({ customer_id, is_active: 1, is_shipping: 1 });
      }
    });

    it.each([
      ["truck_id", "trucks"],
      ["asset_id", "assets"],
      ["asset_dropped_id", "assets"],
      ["asset_type_id", "asset_types"],
      ["dump_location_id", "dump_destinations"],
      ["final_location_id", "dump_destinations"],
      ["start_location_id", "dump_destinations"],
    ])("has for each job a %s at the location of the job", (field, table) => {
      const records = byId(table);
      const pointing = jobs.filter((job) => job[field] !== null);
      expect(pointing.length).toBeGreaterThan(0);
      for (const job of pointing) {
        expect(records.get(job[field])).toMatchObject({
          location_id: job.location_id,
          tenant_id: job.tenant_id,
        });
      }
    });

    it("has each job completed by the driver of its truck or a dispatcher of the tenant", () => {
      const users = byId("users");
      const trucks = byId("trucks");
      for (const job of jobs.filter(({ is_completed }) => is_completed)) {
        const person = users.get(job.completed_by) ?? byId("drivers").get(job.completed_by);
        expect(person?.tenant_id).toBe(job.tenant_id);
        if (job.completed_by_driver === 1) expect(job.completed_by).toBe(trucks.get(job.truck_id)?.driver_id);
        else expect(person?.roles).toContain("Dispatcher");
      }
    });

    it("has each asset at the place of its last completed job", () => {
      const ended = jobs
        .filter((job) => job.is_completed)
        .sort((a, b) => (String(a.completed_on) < String(b.completed_on) ? -1 : 1));
      const standing = new Map<number, number | null>();
      for (const job of ended) {
        if (job.asset_id !== null) standing.set(job.asset_id, job.type === "R" ? job.customer_id : null);
        if (job.asset_dropped_id !== null) standing.set(job.asset_dropped_id, job.customer_id);
      }
      const assets = byId("assets");
      for (const [id, customerId] of standing)
        expect(assets.get(id)?.customer_id, `asset ${id}`).toBe(customerId);
      expect(standing.size).toBeGreaterThan(100);
    });

    it("picks up assets only from the customer that has them", () => {
      const assets = byId("assets");
      const open = jobs.filter((job) => isOpen(job) && job.asset_id !== null);
      for (const job of open) expect(assets.get(job.asset_id)?.customer_id).toBe(job.customer_id);
      const taken = open.filter((job) => job.type !== "R").map((job) => job.asset_id);
      expect(new Set(taken).size).toBe(taken.length);
    });
  });

  describe("and its customers", () => {
    it("has chains whose sites have their head office as parent", () => {
      const customers = rows("customers");
      const parents = new Set(customers.map((row) => row.parent_id).filter((id) => id !== null));
      expect(parents.size).toBe(9);
      expect(customers.filter((row) => row.parent_id !== null).length).toBe(36);
    });

    it("has names in several scripts", () => {
      const names = rows("customers").map((row) => String(row.name));
      for (const name of [
        "Łukasz Bączek Roofing",
        "Ångström Labs",
        "Γεωργίου & Co",
        "Čapek Builders",
        "山田建設",
      ])
        expect(names).toContain(name);
    });

    it("has sites in the region of their location", () => {
      const regions = { 1: ["DC", "MD"], 2: ["CT", "MA", "VT"], 3: ["KY", "TN"] };
      const locationOf = new Map(rows("customer_locations").map((row) => [row.customer_id, row.location_id]));
      for (const address of rows("addresses").filter((row) => row.is_shipping === 1)) {
        const location = locationOf.get(address.customer_id) as keyof typeof regions;
        expect(regions[location]).toContain(address.region);
      }
    });

    it("has customers with a second address", () => {
      const counts = countBy(rows("addresses"), (row) => row.customer_id);
      expect(Object.values(counts).filter((count) => count === 2).length).toBeGreaterThan(20);
    });
  });

  describe("and the work of its dispatchers", () => {
    it("starts with an unassigned job and an assigned one for tomorrow, on any weekday", async () => {
      const tomorrow = toTimestamp(toEpochMs(`${testStart.slice(0, 10)}T00:00:00.000000`) + dayInMs);
      expect(jobs.slice(0, 2)).toMatchObject([
        { dispatched_on: null, id: 1, location_id: 1, schedule_date: tomorrow, truck_id: null },
        { id: 2, location_id: 1, schedule_date: tomorrow, truck_id: 3 },
      ]);
      const params = { job_id: "2", location_id: "1" };
      const { answer } = await readAs(demo, "dana", "jobs.timeline", { params });
      expect(answer.results.map(({ action }: { action: string }) => action)).toEqual([
        "created",
        "dispatched",
      ]);
    });

    it("has an unread message to the first driver, and the reply", async () => {
      const { answer } = await readAs(demo, "drew", "chats.list", { params: { driver_id: "7" } });
      expect(answer.results).toMatchObject([
        { id: 1, is_read: false, receiver: { id: 7, type: "driver" } },
        { id: 2, is_read: false, sender: { id: 7, type: "driver" } },
      ]);
    });

    it("charges for materials at every location", async () => {
      for (const [username, location_id] of [
        ["olivia", "1"],
        ["olivia", "2"],
      ] as const) {
        const { answer } = await readAs(demo, username, "materials.list", { params: { location_id } });
        expect(answer.total_count).toBe(4);
      }
    });
  });

  describe("and its webhooks", () => {
    it("has an active one and a deactivated one, both on this machine", () => {
      const hooks = rows("hooks");
      expect(hooks.map((hook) => hook.deleted_at === null)).toEqual([true, false]);
      for (const hook of hooks) expect(hook.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    });

    it("have no deliveries, because they are newer than all events", () => {
      const [called] = rows("hooks");
      const owed = rows("events").filter(
        (event) =>
          event.tenant_id === 1 &&
          String(event.created_on) >= String(called?.created_on) &&
          JSON.parse(String(called?.events)).includes(event.kind),
      );
      expect(owed).toEqual([]);
    });
  });

  describe("and the operations", () => {
    it.each([
      ["jobs.list", {}],
      ["locations.jobs", { location_id: "2" }],
      ["locations.customers", { location_id: "1" }],
      ["customers.list", {}],
      ["locations.list", {}],
      ["trucks.list", { location_id: "1" }],
      ["users.list", { location_id: "1" }],
      ["hooks.list", {}],
    ] as const)("returns the shape of the model for %s", async (name, params) => {
      const { answer, problems } = await readAs(demo, "olivia", name, {
        params,
        query: { page_limit: "1000" },
      });
      expect(problems).toEqual([]);
      expect(answer.total_count).toBeGreaterThan(1);
    });

    it("prints the job list of a truck", async () => {
      const { jobListPdf } = await import("../../src/operations/truck-job-list.ts");
      const user = await demo.service.store.accounts.findUser(1, "drew");
      if (!user) throw new Error("The demo has no drew.");
      const { value } = await callOperation(demo.service, jobListPdf, {
        actor: toActor(1, user, null, null),
        body: async () => undefined,
        params: { location_id: "1", truck_id: "1" },
        query: {},
        requestId: demo.service.makeUuid(),
        version: "2021/08/02",
      });
      expect(value).toMatchObject({ fileName: expect.stringMatching(/\.pdf$/) });
    });
  });

  describe("of another size", () => {
    it("scales to 4000 jobs and keeps everything else", async () => {
      const progress: [number, number][] = [];
      const larger = await anotherDemo({ jobs: 4000, onProgress: (done, of) => progress.push([done, of]) });
      expect(larger.database.rows("jobs").length).toBe(4000);
      expect(larger.database.rows("customers").length).toBe(200);
      expect(progress.at(0)).toEqual([502, 4000]);
      expect(progress.at(-1)).toEqual([4000, 4000]);
      const days = countBy(jobsOf(larger), (job) => job.schedule_date?.slice(0, 10));
      expect(Math.max(...Object.values(days))).toBeLessThan(130);
      const first = Object.keys(days).sort().at(0);
      expect(toEpochMs(testStart) - toEpochMs(`${first}T00:00:00.000000`)).toBeGreaterThan(30 * dayInMs);
    });

    it.each([0, 1])("can be created with %i jobs", async (count) => {
      expect((await anotherDemo({ jobs: count })).database.rows("jobs").length).toBe(count);
    });
  });
});
