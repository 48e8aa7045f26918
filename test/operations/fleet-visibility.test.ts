import { beforeAll, describe, expect, it } from "vitest";
import type { OperationName } from "../../src/operations/index.ts";
import { addBoundCallers } from "../support/bound-callers.ts";
import { aCustomer, aDriver, aJob, anAssetType, aTruck, type Json } from "../support/builders.ts";
import { describeOnEveryTarget } from "../support/targets.ts";
import type { Caller } from "../support/tenants.ts";

type Kind = "assets" | "drivers" | "places";
type Sight = Record<Kind, string[]>;

const everywhere = ["of the yard", "of the north"];

const all: Sight = {
  assets: ["in the yard", "at bound", "at on truck", "at hauled", "at idle", "in the north"],
  drivers: ["driver", "hauler's", "spare", "stranger's", "northern"],
  places: everywhere,
};
const atYard: Sight = {
  assets: ["in the yard", "at bound", "at on truck", "at hauled", "at idle"],
  drivers: ["driver", "hauler's", "spare", "stranger's"],
  places: ["of the yard"],
};
const atNorth: Sight = { assets: ["in the north"], drivers: ["northern"], places: ["of the north"] };
const nothing: Sight = { assets: [], drivers: [], places: [] };

/**
 * The equipment of a location that each role sees, written by hand. Everyone who drops off or picks up sees the
 * assets in the yard. Customers do not see drivers, because drivers are people. "places" means dump destinations,
 * materials, and asset types.
 */
const sights: Record<string, Sight> = {
  Admin: all,
  Dispatcher: all,
  CrmUser: all,
  ClientCustomer: { assets: ["at bound"], drivers: [], places: everywhere },
  Driver: { assets: ["in the yard", "at on truck", "in the north"], drivers: ["driver"], places: everywhere },
  ThirdPartyDispatcher: {
    assets: ["in the yard", "at hauled", "in the north"],
    drivers: ["hauler's"],
    places: everywhere,
  },
  ThirdPartyDriver: {
    assets: ["in the yard", "at hauled", "in the north"],
    drivers: ["hauler's"],
    places: everywhere,
  },
  "Dispatcher at the yard": atYard,
  "CrmUser in the north": atNorth,
  "ClientCustomer of nobody": nothing,
  "Driver without a driver": nothing,
  "ThirdPartyDispatcher without a hauler": nothing,
  "Dispatcher at the yard and Driver in the north": all,
  "ClientCustomer and Driver": {
    assets: ["in the yard", "at bound", "at on truck", "in the north"],
    drivers: ["driver"],
    places: everywhere,
  },
};

/** This caller can list nothing of a location, although its hauler has a driver and a truck there. */
const unseeing = "ThirdPartyDispatcher whose hauler works nowhere";

describeOnEveryTarget("visible drivers, assets and places of a caller", (harness) => {
  const records: Record<string, Record<string, { id: number; location: number }>> = {};
  const callers: Record<string, Caller> = {};
  const locations: number[] = [];
  const callerOf = (name: string): Caller => callers[name] ?? harness.globex.caller;

  beforeAll(async () => {
    const { acme } = harness;
    const { customerId, driverId, haulerDriverId, haulerId, haulerTruckId, locationId, truckId } = acme;
    const north = (await harness.ok("locations.create", { as: "Admin", body: { name: "North" } })).id;
    locations.push(locationId, north);
    const connected = "2026-11-21T12:00:00.000000";
    const made = { created_on: connected, name: "Hauler", password_hash: "x" };
    harness.store.insert("haulers", { ...made, username: "office@example.com", uuid: haulerId });
    harness.store.insert("hauler_connections", {
      ...{ approved_on: connected, hauler_uuid: haulerId, location_id: null, requested_by: 1 },
      ...{ requested_on: connected, tenant_id: acme.tenantId },
    });
    const make = async (what: OperationName, kind: string, name: string, location: number, body: Json) => {
      const { id } = (await harness.ok(what, { params: { location_id: location }, body })) as { id: number };
      records[kind] = { ...records[kind], [name]: { id, location } };
    };
    const customer = async () => {
      const params = { location_id: locationId };
      const { addresses, id } = await harness.ok("customers.create", { params, body: aCustomer() });
      return { addressId: addresses[0]?.id ?? 0, customerId: id };
    };
    const job = (at: { addressId: number; customerId: number }, changes: Json) =>
      harness.ok("jobs.create", { params: { location_id: locationId }, body: aJob(at, changes) });

    const onTruck = await customer();
    const hauled = await customer();
    const idle = await customer();
    await job(onTruck, { truck_id: truckId });
    await job(hauled, { third_party_hauler_id: haulerId, truck_id: haulerTruckId });

    const asset = (name: string, location: number, customer_id: number | null) =>
      make("assets.create", "assets", name, location, { customer_id });
    await asset("in the yard", locationId, null);
    await asset("at bound", locationId, customerId);
    await asset("at on truck", locationId, onTruck.customerId);
    await asset("at hauled", locationId, hauled.customerId);
    await asset("at idle", locationId, idle.customerId);
    await asset("in the north", north, null);

    records.drivers = {
      driver: { id: driverId, location: locationId },
      "hauler's": { id: haulerDriverId, location: locationId },
    };
    const hauling = { third_party_hauler_id: haulerId };
    const params = { driver_id: haulerDriverId, location_id: locationId };
    await harness.ok("drivers.update", { params, body: hauling });
    await make("drivers.create", "drivers", "spare", locationId, aDriver());
    const stranger = { third_party_hauler_id: "8b0d3c55-51a5-4a63-8f3e-5f5a3f5b6c7d" };
    await make("drivers.create", "drivers", "stranger's", locationId, aDriver(stranger));
    await make("drivers.create", "drivers", "northern", north, aDriver());
    const northern = { driver_id: records.drivers?.northern?.id ?? 0 };
    const trucks: [number, Json][] = [
      [north, northern],
      [north, hauling],
      [locationId, stranger],
      [locationId, { driver_id: driverId }],
    ];
    for (const [location_id, body] of trucks)
      await harness.ok("trucks.create", { params: { location_id }, body: aTruck(body) });

    for (const [name, location] of [
      ["of the yard", locationId],
      ["of the north", north],
    ] as const) {
      await make("dump-destinations.create", "dump-destinations", name, location, {});
      await make("materials.create", "materials", name, location, {});
      await make("asset-types.create", "asset-types", name, location, anAssetType());
    }

    const both = { customer_ids: [customerId], driver_id: driverId, roles: ["ClientCustomer", "Driver"] };
    const yardAndNorth = { ...northern, location_id: locationId, roles: ["Dispatcher", "Driver"] };
    Object.assign(callers, await addBoundCallers(harness, north), {
      "ClientCustomer and Driver": await harness.addCaller(both),
      "Dispatcher at the yard and Driver in the north": await harness.addCaller(yardAndNorth),
      [unseeing]: await harness.addCaller({ ...stranger, roles: ["ThirdPartyDispatcher"] }),
    });
  });

  /** The ids in all lists of a kind that the caller may request. */
  const listed = async (as: Caller, name: OperationName) => {
    const ids: number[] = [];
    for (const location_id of locations) {
      const { body } = await harness.call(name, { as, params: { location_id } });
      ids.push(...((body as { results?: { id: number }[] }).results ?? []).map(({ id }) => id));
    }
    return ids;
  };

  const kinds: [string, Kind, OperationName, OperationName | null, string][] = [
    ["assets", "assets", "assets.list", "assets.get", "asset_id"],
    ["drivers", "drivers", "drivers.list", "drivers.get", "driver_id"],
    ["asset-types", "places", "asset-types.list", "asset-types.get", "asset_type_id"],
    ["dump-destinations", "places", "dump-destinations.list", "dump-destinations.get", "dump_destination_id"],
    ["materials", "places", "materials.list", null, ""],
  ];

  describe.each(Object.entries(sights))("%s", (name, sight) => {
    it.each(kinds)("sees its %s in lists and by id", async (what, kind, list, get, idName) => {
      const as = callerOf(name);
      const of = records[what] ?? {};
      const ids = await listed(as, list);
      expect(Object.keys(of).filter((record) => ids.includes(of[record]?.id ?? 0))).toEqual(sight[kind]);
      if (!get) return;
      const alone: string[] = [];
      for (const [record, { id, location }] of Object.entries(of)) {
        const { status, body } = await harness.call(get, {
          as,
          params: { location_id: location, [idName]: id },
        });
        if (status === 200) alone.push(record);
        else expect(body).toMatchObject({ code: "record_not_found", status: 404 });
      }
      expect(alone).toEqual(sight[kind]);
    });
  });

  describe.each([
    ["trucks.all", "trucks.list"],
    ["drivers.all", "drivers.list"],
  ] as const)("%s", (name, byLocation) => {
    const placeOf = ({ id, location_id }: { id: number; location_id: number }) => `${location_id},${id}`;
    /** The ids in the list across locations. Each page starts after the last record of the one before. */
    const listedInOne = async (as: Caller) => {
      const ids: number[] = [];
      for (let page_after: string | undefined = "0,0"; page_after !== undefined; ) {
        const page = await harness.ok(name, { as, query: { page_limit: 2, page_after } });
        const results: readonly { id: number; location_id: number }[] = page.results;
        ids.push(...results.map(({ id }) => id));
        page_after = results[1] && placeOf(results[1]);
      }
      return ids;
    };

    it.each([...Object.keys(sights), unseeing])(
      "gets the same records for %s as from the lists of each location, in the same order",
      async (who) => {
        const as = callerOf(who);
        expect(await listedInOne(as)).toEqual(await listed(as, byLocation));
      },
    );

    it("returns another tenant only its own records", async () => {
      const { caller, driverId, truckId } = harness.globex;
      const { results } = await harness.ok(name, { as: caller });
      expect(results.map(({ id }) => id)).toEqual([name === "trucks.all" ? truckId : driverId]);
    });

    it("continues after a cursor, even if the caller cannot see the record of the cursor", async () => {
      const as = callerOf("CrmUser in the north");
      const own = await listed(as, byLocation);
      const { results: places } = await harness.ok(name);
      expect(places.length).toBeGreaterThan(own.length);
      for (const place of places) {
        const { results } = await harness.ok(name, { as, query: { page_after: placeOf(place) } });
        const passed = own.indexOf(place.id);
        expect(results.map(({ id }) => id)).toEqual(own.slice(passed + 1));
      }
      const page_after = `${"9".repeat(15)},${"9".repeat(15)}`;
      expect((await harness.ok(name, { query: { page_after } })).results).toEqual([]);
    });

    it.each(["7", "-1,7", "1,7,9", `1,${"9".repeat(30)}`, "null", ""])(
      "refuses the cursor `%s`",
      async (place) => {
        const refused = await harness.refused(name, { query: { page_after: place } });
        expect(refused).toMatchObject({ code: "invalid_format", status: 400 });
      },
    );
  });

  it("cannot be changed or referenced by a caller who does not see it", async () => {
    const as = callerOf("Dispatcher at the yard");
    const northern = records.drivers?.northern ?? { id: 0, location: 0 };
    const before = harness.store.contents();
    const params = { driver_id: northern.id, location_id: northern.location };
    const changed = await harness.refused("drivers.update", { as, params, body: { city: "x" } });
    expect(changed).toMatchObject({ code: "record_not_found", status: 404 });
    const truck = { location_id: harness.acme.locationId, truck_id: harness.acme.truckId };
    const named = await harness.refused("trucks.update", {
      as,
      params: truck,
      body: { driver_id: northern.id },
    });
    expect(named).toMatchObject({
      code: "unknown_reference",
      detail: expect.stringContaining(`there is no driver ${northern.id}.`),
    });
    expect(harness.store.contents()).toEqual(before);
  });
});
