import { beforeAll, expect, it } from "vitest";
import { aDriver, type Json } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import type { HarnessCall } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { inYardOf } from "./a-job-of.ts";

describeOnEveryTarget("people: drivers and users", (harness) => {
  const yard = inYardOf(harness);
  const done = { is_completed: true };
  const atYard = () => ({ location_id: harness.acme.locationId });
  const listed = async (query: NonNullable<HarnessCall["query"]>, call: HarnessCall = {}) =>
    (await harness.ok("jobs.list", { ...call, query })).results.map(({ id }) => id);
  /** Creates a job on the driver's truck. */
  const ofTruck = async (changes: Json = {}) =>
    (await yard.create({ truck_id: harness.acme.truckId, ...changes })).id;

  /** Two jobs that the same person completed: one as a driver and one as a user. */
  let shared: { byDriver: number; byUser: number };

  beforeAll(async () => {
    const { Driver } = harness.acme.callers;
    const byDriver = await ofTruck();
    await yard.update(byDriver, done, Driver);
    shared = { byDriver, byUser: (await yard.create({ completed_by: Driver.user.id, ...done })).id };
  });

  it("share one sequence of ids", async () => {
    const { acme, store } = harness;
    const driver = await harness.ok("drivers.create", { params: atYard(), body: aDriver() });
    const { user } = await harness.addCaller({ roles: ["CrmUser"] });
    const another = await harness.ok("drivers.create", { params: atYard(), body: aDriver() });
    expect(user.id).toBeGreaterThan(driver.id);
    expect(another.id).toBeGreaterThan(user.id);
    const ids = [...store.rows("users"), ...store.rows("drivers")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(acme.driverId);
  });

  it("are recorded as drivers who completed a job only if no other role of theirs may complete it", async () => {
    const { acme } = harness;
    const job = await harness.ok("jobs.get", { params: yard.at(shared.byDriver) });
    expect(job.completed_by).toBe(acme.driverId);
    expect(harness.store.rows("jobs").find(({ id }) => id === shared.byDriver)).toMatchObject({
      completed_by: acme.driverId,
    });
    const both = await harness.addCaller({ driver_id: acme.driverId, roles: ["Dispatcher", "Driver"] });
    const byBoth = await ofTruck();
    expect((await yard.updated(byBoth, done, { as: both })).completed_by).toBe(both.user.id);
    expect(await listed({ completed_by_driver: true })).toEqual(
      expect.arrayContaining([shared.byDriver, shared.byUser, byBoth]),
    );
    const atDesk = await yard.create(done);
    expect(atDesk.completed_by).toBe(acme.callers.Dispatcher.user.id);
    expect(await listed({ completed_by_driver: true })).not.toContain(atDesk.id);
  });

  it("stores the id of a driver or a user unchanged, and refuses an id that the caller cannot see", async () => {
    const { acme, globex } = harness;
    for (const id of [acme.haulerDriverId, acme.callers.CrmUser.user.id]) {
      expect((await yard.create({ completed_by: id, ...done })).completed_by).toBe(id);
      const { id: jobId } = await yard.create();
      expect((await yard.updated(jobId, { completed_by: id, ...done })).completed_by).toBe(id);
    }
    const refused = async (id: number) =>
      toViolations(
        await harness.call("jobs.create", {
          params: atYard(),
          body: {
            address_id: acme.addressId,
            completed_by: id,
            requested_by: acme.customerId,
            type: "D",
            ...done,
          },
        }),
      );
    const unknown = [400, ["unknown_reference", "CreateJobRequestBodyModel.completed_by"]];
    expect(await refused(999_999)).toEqual(unknown);
    expect(await refused(globex.driverId)).toEqual(unknown);
    expect(await refused(globex.caller.user.id)).toEqual(unknown);
  });

  it("are found by either id in the jobs that they completed, and the answer shows the driver", async () => {
    const { acme } = harness;
    const { Driver } = acme.callers;
    const both = [shared.byDriver, shared.byUser];
    for (const completed_by of [acme.driverId, Driver.user.id])
      expect(await listed({ completed_by })).toEqual(expect.arrayContaining(both));
    expect(await listed({ driver_id: acme.driverId })).toEqual(expect.arrayContaining(both));
    harness.store.update("jobs", shared.byUser, { returned_by: acme.driverId });
    expect(await listed({ returned_by: Driver.user.id })).toEqual([shared.byUser]);
    // A driver still sees a job that it completed after the job leaves its truck.
    const off = await harness.ok("jobs.get", { params: yard.at(shared.byDriver) });
    harness.store.update("jobs", off.id, { truck_id: null });
    expect(await listed({ completed: true }, { as: Driver })).toEqual(expect.arrayContaining(both));
    const seen = await harness.ok("customers.get", {
      as: Driver,
      params: { customer_id: acme.customerId },
    });
    expect(seen.id).toBe(acme.customerId);
  });

  it("count as users in writes, filters, and answers if a user and a driver share a number", async () => {
    const { acme, store } = harness;
    const { user: owner } = acme.owner;
    const twin = {
      ...store.rows("drivers").find(({ id }) => id === acme.driverId),
      id: owner.id,
      name: "Twin",
    };
    store.insert("drivers", twin as never);
    const caller = await harness.addCaller({ driver_id: owner.id, roles: ["Driver"] });
    const truck = await harness.ok("trucks.create", {
      params: atYard(),
      body: { driver_id: owner.id, name: "Twin's" },
    });
    const { id: own } = await yard.create({ truck_id: truck.id });
    expect((await yard.updated(own, done, { as: caller })).completed_by).toBe(caller.user.id);
    const { id: owners } = await yard.create({ completed_by: owner.id, ...done });
    expect(await listed({ completed_by: owner.id })).toEqual([owners]);
    expect(await listed({ completed_by: caller.user.id })).toEqual([own]);
    expect(await listed({ completed_by_driver: true })).not.toContain(owners);
    expect(await listed({ driver_id: owner.id })).toEqual([own]);
    expect(await listed({}, { as: caller })).toEqual([own]);
  });
});
