import { beforeAll, describe, expect, it } from "vitest";
import type { Role } from "../../../src/models/user.ts";
import { addBoundCallers } from "../../support/bound-callers.ts";
import { aCustomer, aJob, aTruck, type Json } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import type { Caller } from "../../support/tenants.ts";
import { writtenBy } from "../../support/written.ts";

/**
 * The row scopes, written by hand: the jobs below that each caller sees. Acme's callers have one role each with the
 * binding that it requires. `beforeAll` creates the other callers.
 */
const everything = ["plain", "theirs", "on-truck", "done-by-driver", "hauled", "on-haulers-truck", "north"];
const atYard = everything.filter((name) => name !== "north");

const seen: Record<string, string[]> = {
  Admin: everything,
  ClientCustomer: ["plain", "on-truck", "done-by-driver", "hauled", "on-haulers-truck"],
  CrmUser: everything,
  Dispatcher: everything,
  Driver: ["on-truck", "done-by-driver"],
  ThirdPartyDispatcher: ["hauled", "on-haulers-truck"],
  ThirdPartyDriver: ["on-haulers-truck"],
  "Admin at the yard": atYard,
  "Dispatcher at the yard": atYard,
  "CrmUser in the north": ["north"],
  "ClientCustomer of nobody": [],
  "Driver without a driver": [],
  "ThirdPartyDispatcher without a hauler": [],
  "ThirdPartyDriver without a driver": [],
  "ClientCustomer of both": ["plain", "theirs", "on-truck", "done-by-driver", "hauled", "on-haulers-truck"],
  "Driver and ThirdPartyDispatcher": ["on-truck", "done-by-driver", "hauled", "on-haulers-truck"],
  "Dispatcher whose token is for a Driver": ["on-truck", "done-by-driver"],
};

describeOnEveryTarget("visible jobs of a caller", (harness) => {
  const jobIds: Record<string, number> = {};
  const locationOf: Record<string, number> = {};
  const callers: Record<string, Caller> = {};

  beforeAll(async () => {
    const { acme } = harness;
    const { customerId, driverId, haulerId, haulerTruckId, locationId, truckId } = acme;
    const north = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const create = async (name: string, changes: Json, tenant = acme, location = locationId) => {
      const body = aJob(tenant, { reference_number: name, ...changes });
      jobIds[name] = (await harness.ok("jobs.create", { params: { location_id: location }, body })).id;
      locationOf[name] = location;
    };
    const customerAt = async (location_id: number) => {
      const { id, addresses } = await harness.ok("customers.create", {
        params: { location_id },
        body: aCustomer(),
      });
      return { ...acme, addressId: addresses[0]?.id ?? 0, customerId: id };
    };
    const other = await customerAt(locationId);
    await create("plain", {});
    await create("theirs", {}, other);
    await create("on-truck", { truck_id: truckId });
    await create("done-by-driver", { completed_by: acme.callers.Driver.user.id, is_completed: true });
    await create("hauled", { third_party_hauler_id: haulerId });
    await create("on-haulers-truck", { truck_id: haulerTruckId });
    await create("north", {}, await customerAt(north), north);

    const add = async (name: string, user: Json, token: Json = {}) => {
      callers[name] = await harness.addCaller(user, token);
    };
    Object.assign(callers, await addBoundCallers(harness, north));
    await add("Admin at the yard", { location_id: locationId, roles: ["Admin"] });
    await add("ThirdPartyDriver without a driver", {
      roles: ["ThirdPartyDriver"],
      third_party_hauler_id: haulerId,
    });
    await add("ClientCustomer of both", {
      customer_ids: [customerId, other.customerId],
      roles: ["ClientCustomer"],
    });
    const both = ["Driver", "ThirdPartyDispatcher"];
    const bindings = { driver_id: driverId, third_party_hauler_id: haulerId };
    await add("Driver and ThirdPartyDispatcher", { ...bindings, roles: both });
    const dispatcher = { driver_id: driverId, roles: ["Dispatcher", "Driver"] };
    await add("Dispatcher whose token is for a Driver", dispatcher, { roles: ["Driver"] });
  });

  const callerOf = (name: string): Caller => callers[name] ?? harness.globex.caller;

  describe.each(Object.entries(seen))("%s", (name, names) => {
    // Acme's Driver completed "done-by-driver", not the user of these two.
    const visible =
      name.includes(" and ") || name.includes("whose")
        ? names.filter((job) => job !== "done-by-driver")
        : names;

    it("sees exactly these jobs in the list and in the total", async () => {
      const list = await harness.ok("jobs.list", { as: callerOf(name) });
      expect(list.results.map((job) => job.reference_number)).toEqual(visible);
      expect(list.total_count).toBe(list.results.length);
    });

    it("gets exactly these jobs by id; the others answer 404", async () => {
      const outcomes = [];
      for (const job of everything) {
        const params = { job_id: jobIds[job] ?? 0, location_id: locationOf[job] ?? 0 };
        const { status, body } = await harness.call("jobs.get", { as: callerOf(name), params });
        if (status === 200) outcomes.push(job);
        else expect(body).toMatchObject({ status: 404, detail: `There is no job ${params.job_id}.` });
      }
      expect(outcomes).toEqual(visible);
    });
  });

  it("treats the location of a job as part of its address", async () => {
    const params = { job_id: jobIds.plain ?? 0, location_id: locationOf.north ?? 0 };
    expect(await harness.refused("jobs.get", { params })).toMatchObject({
      status: 404,
      code: "record_not_found",
    });
  });

  it("returns the list of a location to callers who see the location", async () => {
    const location_id = locationOf.north ?? 0;
    const names = async (as: Caller | Role) =>
      (await harness.ok("locations.jobs", { as, params: { location_id } })).results.map(
        (job) => job.reference_number,
      );
    expect(await names(callerOf("CrmUser in the north"))).toEqual(["north"]);
    expect(await names("Driver")).toEqual([]);
    const bound = callerOf("Dispatcher at the yard");
    expect(await harness.refused("locations.jobs", { as: bound, params: { location_id } })).toMatchObject({
      status: 404,
      detail: `There is no location ${location_id}.`,
    });
  });

  it("shows the customer of a job as its location stores it, without records of other locations", async () => {
    const { customerId, locationId, tenantId } = harness.acme;
    const record = {
      is_active: 1,
      created_on: harness.clock.now(),
      last_updated_on: harness.clock.now(),
      note: "for the north",
    };
    const north = { customer_id: customerId, location_id: locationOf.north ?? 0, tenant_id: tenantId };
    harness.store.insert("customer_locations", { ...record, ...north });
    harness.store.update("customers", customerId, { revision: 100 });
    const params = { job_id: jobIds.plain ?? 0, location_id: locationId };
    const as = callerOf("Dispatcher at the yard");
    for (const version of ["2023/04/19", "2019/02/08"] as const) {
      const job = await harness.ok("jobs.get", { as, params, version });
      expect(JSON.stringify(job)).not.toContain("for the north");
    }
  });

  it("shows the asset of a job to callers who may not see the asset, but without its current place; webhooks get it", async () => {
    const { callers: own, customerId, locationId } = harness.acme;
    const params = { location_id: locationId };
    const place = {
      cluster: "Gate",
      customer_id: customerId,
      latitude: 1.5,
      location: { line_1: "1 Dock Road" },
    };
    const number = { number: "R20-31" };
    const asset = await harness.ok("assets.create", { params, body: { ...place, ...number } });
    const job = { ...params, job_id: jobIds.plain ?? 0 };
    const body = { asset_dropped_id: asset.id, asset_id: asset.id };
    await harness.ok("jobs.update", { params: job, body });
    const shown = async () => {
      const as = own.ClientCustomer;
      const { results } = await harness.ok("jobs.list", { as });
      const listed = results.find(({ id }) => id === job.job_id);
      expect(await harness.ok("jobs.get", { as, params: job })).toEqual(listed);
      return [listed?.asset, listed?.dropped_asset];
    };
    expect(await shown()).toMatchObject([place, place]);

    const { id: elsewhere } = await harness.ok("customers.create", { params, body: aCustomer() });
    const moved = { ...params, asset_id: asset.id };
    await harness.ok("assets.update", { params: moved, body: { customer_id: elsewhere } });
    expect((await harness.call("assets.get", { as: "ClientCustomer", params: moved })).status).toBe(404);
    const hidden = { ...number, cluster: null, customer_id: null, latitude: null, location: null };
    expect(await shown()).toMatchObject([hidden, hidden]);

    const note = { as: "ClientCustomer", params: job, body: { customer_notes: "Where is it?" } } as const;
    const { events } = await writtenBy(harness, async () =>
      expect((await harness.ok("jobs.update", note)).asset).toMatchObject(hidden),
    );
    expect(events).toMatchObject([{ data: { asset: { ...place, customer_id: elsewhere } } }]);
    await harness.ok("jobs.update", { params: job, body: { asset_dropped_id: null, asset_id: null } });
  });

  it("sends webhooks all locations of the customer of a job, even if the caller sees only one", async () => {
    const { customerId, locationId } = harness.acme;
    const params = { customer_id: customerId, customer_location_id: locationOf.north ?? 0 };
    if ((await harness.call("customer-locations.get", { params })).status === 404)
      await harness.ok("customer-locations.add", { params, body: {} });
    const as = callerOf("Dispatcher at the yard");
    const job = { job_id: jobIds.plain ?? 0, location_id: locationId };
    const { events } = await writtenBy(harness, () =>
      harness.ok("jobs.update", { as, params: job, body: { flags: "seen" } }),
    );
    const locations = [{ location_id: locationId }, { location_id: locationOf.north }];
    expect(events).toMatchObject([{ data: { customer: { locations } } }]);
  });

  it("does not let a caller dispatch to or create for records that it does not see", async () => {
    const { acme } = harness;
    const as = callerOf("Dispatcher at the yard");
    const params = { location_id: locationOf.north ?? 0 };
    const truck = await harness.ok("trucks.create", { params, body: aTruck() });
    const before = harness.store.contents();
    expect(await harness.refused("jobs.create", { as, params, body: aJob(acme) })).toMatchObject({
      status: 404,
    });
    const body = aJob(acme, { truck_id: truck.id });
    const call = { as, params: { location_id: acme.locationId }, body };
    expect(await harness.refused("jobs.create", call)).toMatchObject({
      status: 400,
      code: "unknown_reference",
    });
    expect(harness.store.contents()).toEqual(before);
  });
});
