import { expect, expectTypeOf, it, onTestFinished } from "vitest";
import type { Caller } from "../../src/core/caller.ts";
import type { JobType } from "../../src/models/job-types.ts";
import type { JsonObject } from "../../src/models/json.ts";
import { type Client, createClient } from "../../src/operations/client.ts";
import { loadOperation } from "../../src/operations/index.ts";
import type { Harness } from "../support/harness.ts";
import { connectCaller, createLocalCaller } from "../support/local-caller.ts";
import { openQuietServer } from "../support/quiet-server.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

describeOnEveryTarget("a client", (harness) => {
  it("answers records and lists as JSON has them, typed by their models", async () => {
    const client = createClient(await openCaller(harness));
    const truck = await client.call("trucks.create", {
      params: { location_id: harness.acme.locationId },
      body: { name: "Truck 8" },
    });
    expectTypeOf(truck.notes).toEqualTypeOf<string | null>();
    expect(truck).toMatchObject({ name: "Truck 8", notes: null, out_of_service: false });
    const { results } = await client.call("jobs.list", { query: { completed: false, page_limit: 1 } });
    expectTypeOf(results[0]?.type).toEqualTypeOf<JobType | undefined>();
    expect(results).toEqual([]);
  });

  it("takes a loaded operation, and one that is known only when the program runs", async () => {
    const client = createClient(await openCaller(harness));
    const listLocations = await loadOperation("locations.list");
    const answer = await client.call(listLocations, { query: { page_limit: 5 } });
    expectTypeOf(answer).toEqualTypeOf<JsonObject>();
    expect(answer).toMatchObject({ current_limit: 5 });
  });

  it("gives the records of a page of a list", async () => {
    const client = createClient(await openCaller(harness));
    const [location] = await client.list("locations.list", { query: { page_limit: 1 } });
    expectTypeOf(location?.name).toEqualTypeOf<string | undefined>();
    expect(location).toMatchObject({ id: harness.acme.locationId });
  });

  it("sends no query parameter that has no value", async () => {
    const client = createClient(await openCaller(harness));
    const query = { page_index: undefined, page_limit: null };
    expect(await client.call("jobs.list", { query })).toMatchObject({ current_page: 1, current_limit: 100 });
  });

  it("keeps nothing of a dry run", async () => {
    const client = createClient(await openCaller(harness), { dryRun: true });
    const params = { location_id: harness.acme.locationId };
    const { id } = await client.call("trucks.create", { params, body: { name: "Truck 9" } });
    const shown = client.call("trucks.get", { params: { ...params, truck_id: id } });
    await expect(shown).rejects.toMatchObject({ code: "record_not_found" });
  });

  it("gives documents as bytes", async () => {
    const client = createClient(await openCaller(harness), { version: "2021/08/02" });
    const { locationId, truckId } = harness.acme;
    const list = await client.call("trucks.job-list-pdf", {
      params: { location_id: locationId, truck_id: truckId },
    });
    expectTypeOf(list).toEqualTypeOf<Uint8Array>();
    expect(Buffer.from(list).subarray(0, 4).toString()).toBe("%PDF");
  });

  it("throws what the operation refuses", async () => {
    const client = createClient(await openCaller(harness));
    const params = { location_id: harness.acme.locationId, truck_id: 999 };
    await expect(client.call("trucks.get", { params })).rejects.toMatchObject({ code: "record_not_found" });
  });
});

/** Calls that must not compile; each line below the directive is wrong in one way. */
export function callWrongly(client: Client): void {
  // @ts-expect-error there is no such operation
  void client.call("trucks.sell");
  // @ts-expect-error a required parameter is missing
  void client.call("trucks.get", { params: { location_id: 1 } });
  // @ts-expect-error a parameter is not one of the operation's
  void client.call("trucks.get", { params: { location_id: 1, truck_id: 2, job_id: 3 } });
  // @ts-expect-error a query parameter is misspelt
  void client.call("jobs.list", { query: { complete: true } });
  // @ts-expect-error the body is missing
  void client.call("trucks.create", { params: { location_id: 1 } });
  // @ts-expect-error a required field of the body is missing
  void client.call("trucks.create", { params: { location_id: 1 }, body: { notes: "new" } });
  // @ts-expect-error the operation takes no body
  void client.call("trucks.list", { params: { location_id: 1 }, body: {} });
  // @ts-expect-error the operation answers no list
  void client.list("trucks.get", { params: { location_id: 1, truck_id: 2 } });
  // @ts-expect-error the answer has no such field
  void client.call("jobs.get", { params: { location_id: 1, job_id: 2 } }).then((job) => job.truck);
}

/** The harness's Dispatcher on its store, or on a server of it. */
async function openCaller({ acme, service, transport }: Harness): Promise<Caller> {
  if (transport.name === "in process") return createLocalCaller(service, acme.owner);
  const { origin } = await openQuietServer(service);
  const caller = await connectCaller(origin, acme.callers.Dispatcher.token, acme.tenantId, () => ({
    id: acme.tenantId,
    name: "Acme",
    paper: "letter",
    time_zone: "UTC",
  }));
  onTestFinished(() => caller.close());
  return caller;
}
