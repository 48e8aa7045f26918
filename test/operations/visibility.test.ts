import { beforeAll, describe, expect, it } from "vitest";
import { addBoundCallers } from "../support/bound-callers.ts";
import { aCustomer, aJob, anAddress, aTruck, type Json } from "../support/builders.ts";
import { describeOnEveryTarget } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";

interface Sight {
  customers: string[];
  trucks: string[];
}

const all: Sight = {
  customers: ["bound", "on truck", "hauled", "idle", "in the north"],
  trucks: ["driver's", "hauler's", "spare", "northern"],
};
const yard: Sight = {
  customers: ["bound", "on truck", "hauled", "idle"],
  trucks: ["driver's", "hauler's", "spare"],
};
const nothing: Sight = { customers: [], trucks: [] };

/**
 * Row scopes of customers and trucks, written by hand: drivers and haulers see the customers of the jobs they see.
 */
const sights: Record<string, Sight> = {
  Admin: all,
  Dispatcher: all,
  CrmUser: all,
  ClientCustomer: { customers: ["bound"], trucks: ["spare"] },
  Driver: { customers: ["on truck"], trucks: ["driver's"] },
  ThirdPartyDispatcher: { customers: ["hauled"], trucks: ["hauler's"] },
  ThirdPartyDriver: { customers: ["hauled"], trucks: ["hauler's"] },
  "Dispatcher at the yard": yard,
  "CrmUser in the north": { customers: ["in the north"], trucks: ["northern"] },
  "ClientCustomer of nobody": nothing,
  "Driver without a driver": nothing,
  "ThirdPartyDispatcher without a hauler": nothing,
  "ClientCustomer and Driver": { customers: ["bound", "on truck"], trucks: ["driver's", "spare"] },
};

describeOnEveryTarget("visible customers and trucks of a caller", (harness) => {
  const customers: Record<string, { id: number; location: number }> = {};
  const trucks: Record<string, { id: number; location: number }> = {};
  const callers: Record<string, Caller> = {};
  const callerOf = (name: string): Caller => callers[name] ?? harness.globex.caller;

  beforeAll(async () => {
    const { acme } = harness;
    const { customerId, driverId, haulerId, haulerTruckId, locationId, truckId } = acme;
    const north = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    const create = async (name: string, location: number) => {
      const params = { location_id: location };
      const { id, addresses } = await harness.ok("customers.create", { params, body: aCustomer() });
      customers[name] = { id, location };
      return { addressId: addresses[0]?.id ?? 0, customerId: id };
    };
    const truck = async (name: string, location: number) => {
      const { id } = await harness.ok("trucks.create", { params: { location_id: location }, body: aTruck() });
      trucks[name] = { id, location };
      return id;
    };
    const job = (customer: { addressId: number; customerId: number }, changes: Json) =>
      harness.ok("jobs.create", { params: { location_id: locationId }, body: aJob(customer, changes) });

    customers.bound = { id: customerId, location: locationId };
    const onTruck = await create("on truck", locationId);
    const hauled = await create("hauled", locationId);
    await create("idle", locationId);
    await create("in the north", north);
    trucks["driver's"] = { id: truckId, location: locationId };
    trucks["hauler's"] = { id: haulerTruckId, location: locationId };
    const spare = await truck("spare", locationId);
    await truck("northern", north);
    await job(acme, { truck_id: spare });
    await job(onTruck, { truck_id: truckId });
    await job(hauled, { third_party_hauler_id: haulerId, truck_id: haulerTruckId });

    const both = { customer_ids: [customerId], driver_id: driverId, roles: ["ClientCustomer", "Driver"] };
    Object.assign(callers, await addBoundCallers(harness, north), {
      "ClientCustomer and Driver": await harness.addCaller(both),
    });
  });

  describe.each(Object.entries(sights))("%s", (name, sight) => {
    it("sees these customers in lists, by id, and with their addresses", async () => {
      const as = callerOf(name);
      const listed = await harness.ok("customers.list", { as, query: { page_limit: 1000 } });
      const idsOf = (names: string[]) => names.map((customer) => customers[customer]?.id);
      expect(listed.results.map(({ id }) => id)).toEqual(idsOf(sight.customers));
      expect(listed.total_count).toBe(sight.customers.length);

      const shown: Record<string, string[]> = { addresses: [], alone: [], atLocation: [] };
      for (const [customer, { id, location }] of Object.entries(customers)) {
        const calls = {
          addresses: await harness.call("addresses.list", { as, params: { customer_id: id } }),
          alone: await harness.call("customers.get", { as, params: { customer_id: id } }),
          atLocation: await harness.call("locations.customer", {
            as,
            params: { customer_id: id, location_id: location },
          }),
        };
        for (const [what, { status, body }] of Object.entries(calls)) {
          if (status === 200) shown[what]?.push(customer);
          else expect(body).toMatchObject({ detail: `There is no customer ${id}.`, status: 404 });
        }
      }
      const { customers: expected } = sight;
      expect(shown).toEqual({ addresses: expected, alone: expected, atLocation: expected });
    });

    it("sees these trucks in the list of the location, by id, and as a job list", async () => {
      const as = callerOf(name);
      const shown: Record<string, string[]> = { alone: [], listed: [], printed: [] };
      for (const [truck, { id, location }] of Object.entries(trucks)) {
        const params = { location_id: location, truck_id: id };
        const list = await harness.call("trucks.list", { as, params: { location_id: location } });
        const { results = [] } = list.body as { results?: { id: number }[] };
        if (results.some((row) => row.id === id)) shown.listed?.push(truck);
        const alone = await harness.call("trucks.get", { as, params });
        if (alone.status === 200) shown.alone?.push(truck);
        else expect(alone.body).toMatchObject({ code: "record_not_found", status: 404 });
        // Printing is slow, so print only one of the visible trucks.
        if (alone.status === 200 && shown.printed?.length === 1) continue;
        const printed = await harness.call("trucks.job-list-pdf", { as, params, version: "2021/08/02" });
        if (printed.status === 200) shown.printed?.push(truck);
        else expect(printed.body).toMatchObject({ code: "record_not_found", status: 404 });
      }
      expect(shown).toEqual({ alone: sight.trucks, listed: sight.trucks, printed: sight.trucks.slice(0, 1) });
    });
  });

  it("cannot be changed by a caller who does not see it", async () => {
    const as = callerOf("Dispatcher at the yard");
    const before = harness.store.contents();
    const params = { customer_id: customers["in the north"]?.id ?? 0 };
    const refused = [
      await harness.refused("addresses.add", { as, params, body: anAddress() }),
      await harness.refused("trucks.update", {
        as,
        params: { location_id: trucks.northern?.location ?? 0, truck_id: trucks.northern?.id ?? 0 },
        body: { notes: "x" },
      }),
    ];
    for (const error of refused) expect(error).toMatchObject({ code: "record_not_found", status: 404 });
    expect(harness.store.contents()).toEqual(before);
  });

  it("does not become visible when it is used as a parent", async () => {
    const as = callerOf("Dispatcher at the yard");
    const body = aCustomer({ parent_id: customers["in the north"]?.id });
    const call = { as, params: { location_id: harness.acme.locationId }, body };
    expect(await harness.refused("customers.create", call)).toMatchObject({
      code: "unknown_reference",
      status: 400,
    });
  });
});
