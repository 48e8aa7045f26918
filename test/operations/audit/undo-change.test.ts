import { beforeEach, expect, it } from "vitest";
import type { Role } from "../../../src/models/user.ts";
import { wholeTenant } from "../../../src/store/access/row-scopes.ts";
import { requestEntriesMax } from "../../../src/store/queries/audit.ts";
import { aCustomer, aHook, aJob, aTruck } from "../../support/builders.ts";
import { describeOnEveryTarget, describeOverHttpOnEveryDatabase } from "../../support/targets.ts";

describeOnEveryTarget("audit.undo", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const last = (query: Record<string, number | string> = {}, as: Role = "Dispatcher") =>
    harness.ok("audit.last", { as, query });
  const undo = (auditId: number, options: { as?: Role; dryRun?: boolean } = {}) =>
    harness.ok("audit.undo", { params: { audit_id: auditId }, ...options });
  const refused = async (auditId: number, as: Role = "Dispatcher") => {
    const { status, body } = await harness.call("audit.undo", { as, params: { audit_id: auditId } });
    return { status, body: JSON.stringify(body) };
  };
  const ofJob = () => ({ ...atYard(), job_id: jobId });
  const change = (body: object, as: Role = "Dispatcher") =>
    harness.ok("jobs.update", { as, params: ofJob(), body });
  const job = () => harness.ok("jobs.get", { params: ofJob() });
  let truckId = 0;
  let otherTruckId = 0;
  let jobId = 0;
  let minute = 0;

  beforeEach(async () => {
    minute += 1;
    harness.clock.set(`2026-11-21T13:${String(minute).padStart(2, "0")}:00.000000`);
    truckId = (await harness.ok("trucks.create", { params: atYard(), body: aTruck() })).id;
    otherTruckId = (await harness.ok("trucks.create", { params: atYard(), body: aTruck() })).id;
    jobId = (await harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme) })).id;
  });

  it("restores the fields of the last change, reports them, and marks the change", async () => {
    await change({ truck_id: truckId });
    const entry = await last();
    expect(entry).toMatchObject({ record_id: jobId, record_type: "Job", undone_on: null });
    const undone = await undo(entry.id);
    expect(undone.records).toMatchObject([
      { action: "dispatched", after: { truck_id: null }, before: { truck_id: truckId }, record_id: jobId },
    ]);
    expect(undone.remarks).toEqual([]);
    expect(await job()).toMatchObject({ dispatched_on: null, truck_id: null });
    const timeline = await harness.ok("jobs.timeline", { params: ofJob() });
    expect(timeline.results.map(({ operation, undone_on }) => [operation, undone_on !== null])).toEqual([
      ["jobs.create", false],
      ["jobs.update", true],
      ["audit.undo", false],
    ]);
  });

  it("undoes one more change on each call", async () => {
    await change({ truck_id: truckId });
    await change({ is_acknowledged: true });
    await change({ truck_id: otherTruckId, dispatcher_notes: "hurry" });
    await undo((await last()).id);
    expect(await job()).toMatchObject({ dispatcher_notes: null, is_acknowledged: true, truck_id: truckId });
    await undo((await last()).id);
    expect(await job()).toMatchObject({ is_acknowledged: false, truck_id: truckId });
    await undo((await last()).id);
    expect(await job()).toMatchObject({ truck_id: null });
  });

  it("reopens a completed job, and reports that its pickup job remains", async () => {
    await change({ pickup_date: "2027-01-01T00:00:00.000000" });
    await change({ is_completed: true });
    const { remarks } = await undo((await last({ record_id: jobId, record_type: "Job" })).id);
    expect(await job()).toMatchObject({ completed_by: null, completed_on: null, is_completed: false });
    expect(remarks).toEqual([`job ${jobId + 1}, which it created, stays.`]);
  });

  it("undoes a failure with its count, and a deletion", async () => {
    await change({ is_failed: true });
    await undo((await last()).id);
    expect(await job()).toMatchObject({ is_failed: false, times_failed: 0 });
    await change({ is_deleted: true });
    await undo((await last()).id);
    expect(await job()).toMatchObject({ is_deleted: false });
  });

  it("takes a created record out of use: a job is deleted, a truck goes out of service", async () => {
    await undo((await last()).id);
    expect(await job()).toMatchObject({ is_deleted: true });
    await undo((await last({ record_id: truckId, record_type: "Truck" })).id);
    const truck = await harness.ok("trucks.get", { params: { ...atYard(), truck_id: truckId } });
    expect(truck.out_of_service).toBe(true);
  });

  it("finds the last change of a kind by the caller, after any later changes", async () => {
    await change({ truck_id: truckId });
    const own = await last();
    await change({ dispatcher_notes: "gate code" }, "Admin");
    await harness.ok("hooks.create", { body: aHook() });
    expect(await last()).toMatchObject({ record_type: "Webhook" });
    expect(await last({ record_type: "Job" })).toEqual(own);
    expect((await harness.call("audit.last", { query: { record_id: jobId } })).status).toBe(400);
  });

  it("searches the last 10000 entries of the user for a kind", async () => {
    await change({ truck_id: truckId });
    const { user } = harness.acme.callers.Dispatcher;
    const audit = {
      ...{ action: "changed", after: "{}", before: "{}", created_on: harness.clock.now() },
      ...{ operation: "trucks.update", record_id: truckId, record_type: "Truck", request_id: "many" },
      ...{ token_id: null, trace_id: null, user_id: user.id },
    };
    const addMany = (count: number) =>
      harness.service.store.write({ tenantId: harness.acme.tenantId, rowScopes: wholeTenant }, ({ outbox }) =>
        outbox.addChanges(Array.from({ length: count }, () => ({ audit, event: null }))),
      );
    await addMany(requestEntriesMax - 1);
    expect(await last({ record_type: "Job" })).toMatchObject({ record_id: jobId });
    await addMany(1);
    expect((await harness.call("audit.last", { query: { record_type: "Job" } })).status).toBe(404);
  });

  it("refuses with 409 a change that a later change followed, and names the user and the time of the later one", async () => {
    await change({ truck_id: truckId });
    const entry = await last();
    await change({ dispatcher_notes: "gate code" }, "Admin");
    const { status, body } = await refused(entry.id);
    expect(status).toBe(409);
    expect(body).toContain(`job ${jobId} was changed since: by the-Admin on 2026-11-21T13:`);
    expect(await job()).toMatchObject({ truck_id: truckId });
  });

  it("refuses with 409 a change that is already undone, and the undo itself", async () => {
    await change({ truck_id: truckId });
    const entry = await last();
    await undo(entry.id);
    expect(await refused(entry.id)).toMatchObject({ status: 409 });
    expect((await refused(entry.id + 1)).body).toContain("is an undo itself");
  });

  it("refuses with 409 a change that no operation can reverse, and changes nothing", async () => {
    const params = { hook_id: (await harness.ok("hooks.create", { body: aHook() })).id };
    await harness.ok("hooks.delete", { params });
    const { status, body } = await refused((await last()).id);
    expect([status, body]).toEqual([409, expect.stringContaining("cannot be undone")]);
    await harness.ok("jobs.add-image", { params: ofJob(), body: { url: "https://example.com/a.png" } });
    expect(await refused((await last()).id)).toMatchObject({ status: 409 });
  });

  it("follows the state rules of jobs", async () => {
    await change({ truck_id: truckId });
    const entry = await last();
    await change({ is_deleted: true });
    expect(await refused(entry.id)).toMatchObject({ status: 409 });
  });

  it("stores nothing in a dry run, and returns the same answer", async () => {
    await change({ truck_id: truckId });
    const entry = await last();
    const planned = await undo(entry.id, { dryRun: true });
    expect(await job()).toMatchObject({ truck_id: truckId });
    expect(await undo(entry.id)).toEqual(planned);
  });

  it("is for callers who may make the change: a driver undoes its own changes, not those a dispatcher made", async () => {
    await change({ truck_id: truckId });
    const dispatched = await last();
    expect(await refused(dispatched.id, "Driver")).toMatchObject({ status: 404 });
    expect(await refused(dispatched.id, "CrmUser")).toMatchObject({ status: 404 });
    await harness.ok("trucks.update", {
      params: { ...atYard(), truck_id: truckId },
      body: { driver_id: harness.acme.driverId },
    });
    await change({ is_completed: true }, "Driver");
    const said = await last({}, "Driver");
    await undo(said.id, { as: "Driver" });
    expect(await job()).toMatchObject({ completed_by: null, is_completed: false, truck_id: truckId });
  });

  it("undoes a change of a customer with its addresses, and takes a new customer out of use at its location", async () => {
    const made = await harness.ok("customers.create", { params: atYard(), body: aCustomer() });
    const params = { customer_id: made.id };
    await harness.ok("customers.update", { params, body: { name: "Renamed" } });
    const [address] = made.addresses;
    if (!address) throw new Error("A customer of the tests has an address.");
    const ofAddress = { ...params, customer_address_id: address.id };
    await harness.ok("addresses.update", { params: ofAddress, body: { line_2: "Gate 4" } });
    await undo((await last()).id);
    expect(await harness.ok("addresses.get", { params: ofAddress })).toMatchObject({
      line_2: address.line_2,
    });
    await undo((await last()).id);
    expect(await harness.ok("customers.get", { params })).toMatchObject({ name: made.name });
    const { remarks } = await undo((await last({ record_id: made.id, record_type: "Customer" })).id);
    expect(remarks).toEqual([]);
    expect((await harness.ok("customers.get", { params })).locations).toMatchObject([{ is_active: false }]);
  });
});

describeOverHttpOnEveryDatabase("audit.undo with a request id that two requests share", (harness) => {
  const name = "11111111-1111-4111-8111-111111111111";
  const patch = async (path: string, body: object, as: Role) => {
    const headers = {
      ...harness.headersOf(as),
      "content-type": "application/json",
      "x-request-id": name,
    };
    const { status } = await harness.send({ method: "PATCH", path, headers, body: JSON.stringify(body) });
    expect(status).toBe(200);
  };

  it.each(["Admin", "Dispatcher"] as const)(
    "answers 409 and keeps a later change that the %s made under the same request id",
    async (as) => {
      const params = { location_id: harness.acme.locationId };
      const { id } = await harness.ok("jobs.create", { params, body: aJob(harness.acme) });
      const path = `/locations/${harness.acme.locationId}/jobs/${id}`;
      await patch(path, { dispatcher_notes: "first" }, "Dispatcher");
      const first = await harness.ok("audit.last", {});
      harness.clock.advance(1000);
      await patch(path, { dispatcher_notes: "second" }, as);
      const { status, body } = await harness.call("audit.undo", { params: { audit_id: first.id } });
      expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining("was changed since")]);
      const job = await harness.ok("jobs.get", { params: { ...params, job_id: id } });
      expect(job).toMatchObject({ dispatcher_notes: "second" });
    },
  );
});
