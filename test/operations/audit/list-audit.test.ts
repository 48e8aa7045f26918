import { beforeAll, expect, it } from "vitest";
import { aHook, aJob, aTruck } from "../../support/builders.ts";
import { describePaging, toViolations } from "../../support/describe-input.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

describeOnEveryTarget("audit.list", (harness) => {
  const list = async (query: Record<string, string | number> = {}) =>
    (await harness.ok("audit.list", { as: "Admin", query })).results;
  const atYard = () => ({ location_id: harness.acme.locationId });
  const later = "2026-11-21T12:10:00.000000";
  let truckId = 0;
  let jobId = 0;

  beforeAll(async () => {
    const truck = await harness.ok("trucks.create", {
      params: atYard(),
      body: aTruck({ notes: "Ölspur 油" }),
    });
    truckId = truck.id;
    harness.clock.set(later);
    const params = { ...atYard(), truck_id: truckId };
    await harness.ok("trucks.update", { as: "Admin", params, body: { notes: "clean", weight: 5 } });
    jobId = (await harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme) })).id;
  });

  it("lists who changed which record and when, with operation, request, token, and the values before and after", async () => {
    const { callers } = harness.acme;
    const [updated, created] = await list({ record: `Truck:${truckId}` });
    expect(updated).toEqual({
      action: "updated",
      after: { notes: "clean", weight: 5 },
      before: { notes: "Ölspur 油", weight: null },
      created_on: later,
      id: expect.any(Number),
      operation: "trucks.update",
      record_id: truckId,
      record_type: "Truck",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token_id: expect.any(Number),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      undone_on: null,
      user_id: callers.Admin.user.id,
      username: callers.Admin.user.username,
    });
    expect(created).toMatchObject({
      action: "created",
      after: { notes: "Ölspur 油" },
      before: null,
      created_on: testStart,
      username: "the-Dispatcher",
    });
  });

  it("names the request by the request id of its response", async () => {
    const { headers } = await harness.call("hooks.create", { body: aHook() });
    const [entry] = await list({ record: "Webhook" });
    if (harness.transport.name === "HTTP") expect(entry?.request_id).toBe(headers["x-request-id"]);
  });

  it("lists the newest entry first, across all kinds of records", async () => {
    const ids = (await list()).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("sorts the keys of changed values alphabetically at every depth", async () => {
    const address = { region: "DC", locality: "Washington", line_1: "1 Main St" };
    await harness.ok("locations.create", { as: "Admin", body: { name: "North", address } });
    const [entry] = await list({ record: "Location" });
    const keys = Object.keys(entry?.after?.address ?? {});
    expect(keys.length).toBeGreaterThan(2);
    expect(keys).toEqual(keys.toSorted());
  });

  it("filters by user, by name or id", async () => {
    const { id, username } = harness.acme.callers.Dispatcher.user;
    const byName = await list({ user: username });
    expect(byName.length).toBeGreaterThan(1);
    expect(new Set(byName.map((entry) => entry.username))).toEqual(new Set([username]));
    expect(await list({ user: String(id) })).toEqual(byName);
    for (const nobody of ["nobody", "999999", "the-dispatcher%", "gus"]) {
      expect(await list({ user: nobody })).toEqual([]);
    }
  });

  it("filters by record, by kind, or by an id of any kind", async () => {
    expect((await list({ record: `Job:${jobId}` })).map(({ action }) => action)).toEqual(["created"]);
    expect(await list({ record: "Job:999999" })).toEqual([]);
    const kinds = async (record: string) =>
      new Set((await list({ record })).map((entry) => entry.record_type));
    expect(await kinds("Truck")).toEqual(new Set(["Truck"]));
    expect((await kinds("1")).size).toBeGreaterThan(1);
  });

  it.each([
    ["", "invalid_format"],
    ["Job:", "invalid_format"],
    ["Job:0", "invalid_format"],
    ["Job:01", "invalid_format"],
    ["Job:1x", "invalid_format"],
    [":1", "invalid_format"],
    ["-1", "invalid_format"],
    ["Job 1", "invalid_format"],
    ["job:1", "invalid_choice"],
    ["Tenant", "invalid_choice"],
    ["constructor", "invalid_choice"],
  ])("refuses the record %j", async (record, code) => {
    const answer = await harness.call("audit.list", { as: "Admin", query: { record } });
    expect(toViolations(answer)).toEqual([400, [code, "record"]]);
  });

  it("filters by operation, with * for any characters", async () => {
    const named = async (operation: string) =>
      new Set((await list({ operation })).map((entry) => entry.operation));
    expect(await named("trucks.update")).toEqual(new Set(["trucks.update"]));
    expect(await named("trucks.*")).toEqual(new Set(["trucks.update", "trucks.create"]));
    expect(await named("trucks")).toEqual(new Set());
    expect(await named("truck_.%")).toEqual(new Set());
  });

  it("filters by a start time, which is included", async () => {
    const since = await list({ since: later });
    expect(since.map(({ created_on }) => created_on)).toEqual(since.map(() => later));
    expect(since.length).toBeGreaterThan(1);
    expect(await list({ since: "2026-11-21T12:00:00Z" })).toEqual(await list());
    harness.clock.set("2026-11-21T12:20:00.000000");
    expect(await list({ since: "2026-11-21T12:10:00.000001" })).toEqual([]);
  });

  it("combines all filters", async () => {
    const entries = await list({ operation: "trucks.*", record: `Truck:${truckId}`, user: "the-Admin" });
    expect(entries.map(({ operation }) => operation)).toEqual(["trucks.update"]);
  });

  it("hides the entries of other tenants", async () => {
    const foreign = await harness.ok("audit.list", { as: harness.globex.caller });
    expect(foreign.results.map((entry) => entry.username)).not.toContain("the-Dispatcher");
    const { jobId: foreignJob } = harness.globex;
    const entries = foreign.results.filter(({ record_type }) => record_type === "Job");
    expect(entries.map(({ record_id }) => record_id)).toEqual([foreignJob]);
    expect(await list({ record: `Job:${foreignJob}`, user: "owner" })).toEqual([]);
  });

  it("hides all entries from an Admin who is bound to a location", async () => {
    const as = await harness.addCaller({ roles: ["Admin"], location_id: harness.acme.locationId });
    expect(await harness.ok("audit.list", { as })).toMatchObject({ results: [], total_count: 0 });
  });

  describePaging((query) => harness.call("audit.list", { as: "Admin", query }));
});
