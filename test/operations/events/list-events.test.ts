import { beforeAll, describe, expect, it } from "vitest";
import { apiVersions } from "../../../src/models/api-versions.ts";
import { aCustomer, aJob, anAddress, aTruck } from "../../support/builders.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

describeOnEveryTarget("events.list", (harness) => {
  const list = async (query: Record<string, string | number> = {}) =>
    (await harness.ok("events.list", { query: { page_limit: 1000, ...query } })).results;
  const atYard = () => ({ location_id: harness.acme.locationId });
  const later = "2026-11-21T12:10:00.000000";
  let customerId = 0;
  let jobId = 0;
  let truckId = 0;

  beforeAll(async () => {
    const customer = aCustomer({ name: "Łódź Roofing", addresses: [anAddress({ line_2: "Hof ②" })] });
    customerId = (await harness.ok("customers.create", { params: atYard(), body: customer })).id;
    truckId = (await harness.ok("trucks.create", { params: atYard(), body: aTruck({ notes: "old" }) })).id;
    harness.clock.set(later);
    const body = aJob(harness.acme, { truck_id: truckId });
    jobId = (await harness.ok("jobs.create", { params: atYard(), body })).id;
    await harness.ok("trucks.update", { params: { ...atYard(), truck_id: truckId }, body: { notes: "new" } });
  });

  it("returns each event with its record at that time", async () => {
    const [created, updated] = await list({ record: `Truck:${truckId}` });
    expect(created).toEqual({
      action: "created",
      cause: expect.objectContaining({ user_id: harness.callerOf("Dispatcher").user.id }),
      created_on: testStart,
      data: expect.objectContaining({ id: truckId, notes: "old" }),
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
      record_id: truckId,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      trace_state: null,
      type: "Truck",
    });
    expect(updated).toMatchObject({ action: "updated", created_on: later, data: { notes: "new" } });
  });

  it("lists the oldest event first, so that a reader can continue", async () => {
    const events = await list();
    const times = events.map(({ created_on }) => created_on);
    expect(times).toEqual(times.toSorted());
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(events.at(-1)).toMatchObject({ action: "updated", record_id: truckId });
    expect(await list()).toEqual(events);
  });

  it("returns the events written after an event, whatever their timestamps", async () => {
    const events = await list();
    for (const [index, { id }] of events.entries())
      expect(await list({ after: String(id).toUpperCase() })).toEqual(events.slice(index + 1));
    const after = String(events[0]?.id);
    expect(await list({ after, type: "Truck" })).toEqual(
      events.slice(1).filter(({ type }) => type === "Truck"),
    );
    const unknown = { after: "2f1b1f0e-6c3b-4c55-9d3e-0a8f6d1c2b3a" };
    const refusal = [400, ["unknown_reference", "after"]];
    expect(toViolations(await harness.call("events.list", { query: unknown }))).toEqual(refusal);
    const as = harness.globex.caller;
    expect(toViolations(await harness.call("events.list", { as, query: { after } }))).toEqual(refusal);
  });

  it("returns the data as the record has it at the version of the caller", async () => {
    for (const version of apiVersions) {
      const newest = async (record: string) => {
        const { results } = await harness.ok("events.list", { query: { record }, version });
        return results.at(-1)?.data;
      };
      const job = await harness.ok("jobs.get", { params: { ...atYard(), job_id: jobId }, version });
      const truck = await harness.ok("trucks.get", { params: { ...atYard(), truck_id: truckId }, version });
      const ofCustomer = { ...atYard(), customer_id: customerId };
      const customer = await harness.ok("locations.customer", { params: ofCustomer, version });
      const tenantWide = await harness.ok("customers.get", { params: { customer_id: customerId }, version });
      expect(await newest(`Job:${jobId}`)).toEqual(job);
      expect(await newest(`Truck:${truckId}`)).toEqual(truck);
      expect(await newest(`CustomerLocation:${customerId}`)).toEqual(customer);
      expect(await newest(`Customer:${customerId}`)).toEqual(tenantWide);
      expect(Object.keys(job)).toContain(version < "2021/11/04" ? "created_by_id" : "created_by");
      expect(customer).toHaveProperty(version < "2021/04/07" ? "customer_id" : "id", customerId);
    }
  });

  it("filters by kind, by record, or by an id of any kind", async () => {
    const kindsOf = async (query: Record<string, string | number>) =>
      new Set((await list(query)).map(({ type }) => type));
    expect(await kindsOf({ type: "Job" })).toEqual(new Set(["Job"]));
    expect(await kindsOf({ record: "Customer" })).toEqual(new Set(["Customer"]));
    expect(await kindsOf({ record: String(customerId), type: "CustomerLocation" })).toEqual(
      new Set(["CustomerLocation"]),
    );
    const kinds = [...(await kindsOf({ record: String(customerId) }))];
    expect(kinds).toEqual(expect.arrayContaining(["Customer", "CustomerLocation"]));
    expect(await list({ record: `Job:${jobId}`, type: "Truck" })).toEqual([]);
    expect(await list({ record: "Ping" })).toEqual([]);
  });

  it("filters by a start time, which is included", async () => {
    const since = await list({ since: later });
    expect(since.map(({ type, action }) => [type, action])).toEqual([
      ["Job", "created"],
      ["Truck", "updated"],
    ]);
    expect(await list({ since: testStart })).toEqual(await list());
  });

  it("hides other tenants, and hides everything from users who are bound to a location", async () => {
    const foreign = await harness.ok("events.list", { as: harness.globex.caller });
    expect(foreign.results.filter(({ type }) => type === "Job")).toMatchObject([
      { record_id: harness.globex.jobId },
    ]);
    expect(await list({ record: `Job:${harness.globex.jobId}` })).not.toMatchObject([
      { data: { location_id: harness.globex.locationId } },
    ]);
    const as = await harness.addCaller({ roles: ["Dispatcher"], location_id: harness.acme.locationId });
    expect(await harness.ok("events.list", { as })).toMatchObject({ results: [], total_count: 0 });
  });

  describe("input", () => {
    it.each([
      [{ after: "7" }, "after", "invalid_format"],
      [{ type: "Webhook" }, "type", "invalid_choice"],
      [{ type: "job" }, "type", "invalid_choice"],
      [{ record: "User:1" }, "record", "invalid_choice"],
      [{ record: "Job/1" }, "record", "invalid_format"],
      [{ since: "tomorrow" }, "since", "invalid_date"],
      [{ since: "2027-01-01" }, "since", "not_past"],
    ])("refuses %j", async (query, field, code) => {
      expect(toViolations(await harness.call("events.list", { query }))).toEqual([400, [code, field]]);
    });

    describePaging((query) => harness.call("events.list", { query }));
  });
});
