import { expect, it, onTestFinished } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { TenantStore } from "../../src/store/tenant-store.ts";
import { aJob, type Json } from "../support/builders.ts";
import { eventually } from "../support/eventually.ts";
import type { Harness } from "../support/harness.ts";
import { describeInProcess, describeOnEveryTarget } from "../support/targets.ts";

const eight = Array.from({ length: 8 }, (_, index) => index);
const atYard = ({ acme }: Harness) => ({ location_id: acme.locationId });

async function makeJob(harness: Harness, fields: Json = {}) {
  const { id } = await harness.ok("jobs.create", {
    params: atYard(harness),
    body: aJob(harness.acme, fields),
  });
  return { ...atYard(harness), job_id: id };
}

describeOnEveryTarget("callers who change one job at once", (harness) => {
  it("lose none of each other's changes", async () => {
    const params = await makeJob(harness);
    const names = ["customer_notes", "dispatcher_notes", "driver_notes", "invoice_notes", "reference_number"];
    const update = (name: string) => harness.ok("jobs.update", { params, body: { [name]: name } });
    await Promise.all(names.map(update));
    const job = await harness.ok("jobs.get", { params });
    expect(job).toMatchObject(Object.fromEntries(names.map((name) => [name, name])));
  });

  it("create one pickup, however many callers complete it", async () => {
    const params = await makeJob(harness, { pickup_date: "2026-12-24" });
    const complete = () => harness.call("jobs.update", { params, body: { is_completed: true } });
    const answers = await Promise.all(eight.map(complete));
    expect(answers.map(({ status }) => status)).toEqual(eight.map(() => 200));
    const pickups = harness.store.rows("jobs").filter(({ pickup_of }) => pickup_of === params.job_id);
    expect(pickups).toHaveLength(1);
  });

  it("take it off its truck once; later callers get 409", async () => {
    const params = await makeJob(harness, { truck_id: harness.acme.truckId });
    const takeOff = () => harness.call("jobs.dispatch", { params, body: { truck_id: null } });
    const statuses = (await Promise.all(eight.map(takeOff))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  it("add all their images, and the job counts each", async () => {
    const params = await makeJob(harness);
    const add = (index: number) =>
      harness.ok("jobs.add-image", { params, body: { url: `https://example.com/${index}.png` } });
    await Promise.all(eight.map(add));
    const { images } = (await harness.ok("jobs.get", { params })) as { images: unknown[] };
    expect(images).toHaveLength(8);
    expect(harness.store.rows("jobs").find(({ id }) => id === params.job_id)?.image_count).toBe(8);
  });

  it("get one audit row each, and each starts where the previous ended", async () => {
    const params = await makeJob(harness);
    const update = (index: number) =>
      harness.ok("jobs.update", { params, body: { dispatcher_notes: `Note ${index}` } });
    await Promise.all(eight.map(update));
    const entries = harness.store
      .rows("audit")
      .filter(({ record_id, record_type }) => record_type === "Job" && record_id === params.job_id)
      .map(({ after, before }) => ({ after: JSON.parse(String(after)), before: JSON.parse(String(before)) }));
    expect(entries).toHaveLength(9);
    for (const [index, { before }] of entries.entries()) {
      if (index < 2) continue;
      expect(before.dispatcher_notes).toBe(entries[index - 1]?.after.dispatcher_notes);
    }
  });
});

describeInProcess("a writer that blocks others", (harness) => {
  /** Starts a write that blocks until `goOn` is called; in another process where possible. */
  async function beginWriting(locks: "rows" | "tenant") {
    const isFile = harness.database.name === "SQLite";
    const service = isFile
      ? harness.service
      : openService({ clock: harness.clock, data: harness.store.data });
    let goOn = () => {};
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const scope = { tenantId: harness.acme.tenantId, rowScopes: wholeTenant };
    const wait = async ({ locations }: TenantStore) => {
      await locations.find(harness.acme.locationId);
      await new Promise<void>((resolve) => {
        goOn = resolve;
        begin();
      });
    };
    const written = service.store.write(scope, wait, locks);
    onTestFinished(async () => {
      goOn();
      if (!isFile) await service.store.close();
    });
    await begun;
    return { goOn: () => goOn(), written };
  }

  it("delays a change of a job when it locks the tenant", async () => {
    const { goOn, written } = await beginWriting("tenant");
    const order: string[] = [];
    const ended = written.then(() => order.push("writer"));
    const made = makeJob(harness).then(() => order.push("job"));
    // A job that does not wait for the write would exist within this time.
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push("go on");
    goOn();
    await Promise.all([ended, made]);
    expect(order).toEqual(["go on", "writer", "job"]);
  });

  it("does not delay changes of jobs on PostgreSQL when it locks rows only", async () => {
    if (harness.database.name === "SQLite") return;
    const { goOn, written } = await beginWriting("rows");
    await makeJob(harness);
    await makeJob(harness);
    goOn();
    await written;
  });

  it("gets its event before the events of later writers on PostgreSQL, even if its commit is slow", async () => {
    if (harness.database.name === "SQLite") return;
    harness.store.execute(`create function slow_commit() returns trigger language plpgsql
      as 'begin perform pg_sleep(1); return null; end'`);
    harness.store.execute(`create constraint trigger slow_commit after insert on events deferrable initially deferred
      for each row when (new.data like '%slow commit%') execute function slow_commit()`);
    const told = () => harness.store.rows("events").map(({ data }) => String(data));
    const slow = makeJob(harness, { dispatcher_notes: "slow commit" });
    // The event already has its id, but is not visible yet.
    const sleeping =
      "select 1 as found from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    await eventually(() => expect(harness.store.query(sleeping)).toHaveLength(1));
    expect(told().filter((data) => data.includes("slow commit"))).toEqual([]);
    await makeJob(harness, { dispatcher_notes: "later" });
    expect(told().filter((data) => data.includes("slow commit"))).toHaveLength(1);
    await slow;
  });
});
