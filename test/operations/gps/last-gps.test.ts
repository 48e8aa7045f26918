import { expect, it } from "vitest";
import type { Role } from "../../../src/models/user.ts";
import { aJob, aTruck } from "../../support/builders.ts";
import type { HarnessCall } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("gps.last", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });

  /** Records a position of one of Acme's drivers, some minutes after eleven. */
  const record = (as: Role, minute: number, coords: object) =>
    harness.ok("gps.record", {
      as,
      params: atYard(),
      body: { location: { coords, timestamp: `2026-11-21T11:${minute}:00Z` } },
    });

  async function lastPlaces(call: HarnessCall = {}) {
    const { results } = await harness.ok("gps.last", { params: atYard(), ...call });
    return results;
  }

  const trucksOf = (places: readonly { truck_id: number }[]) => places.map(({ truck_id }) => truck_id);

  it("returns one position for each truck: the one that was measured last, whenever it arrived", async () => {
    const { driverId, haulerDriverId, haulerTruckId, truckId } = harness.acme;
    expect(await lastPlaces()).toEqual([]);
    const newest = await record("Driver", 40, { heading: 90, latitude: 38.9, longitude: -77.04, speed: 13 });
    const late = await record("Driver", 20, { latitude: 10, longitude: 10 });
    expect(late.id).toBeGreaterThan(newest.id);
    const hauled = await record("ThirdPartyDriver", 10, { latitude: 0, longitude: 0 });
    expect(await lastPlaces()).toEqual([
      {
        bearing: 90,
        driver_id: driverId,
        id: newest.id,
        latitude: 38.9,
        longitude: -77.04,
        measured_on: "2026-11-21T11:40:00.000000",
        truck_id: truckId,
        velocity: 13,
      },
      expect.objectContaining({ driver_id: haulerDriverId, id: hauled.id, truck_id: haulerTruckId }),
    ]);
    const newer = await record("Driver", 41, { latitude: 38.8, longitude: -77 });
    expect((await lastPlaces())[0]).toMatchObject({ bearing: null, id: newer.id, velocity: null });
  });

  it("ignores measurements without a position, and trucks without any", async () => {
    const [before] = await lastPlaces();
    await record("Driver", 50, {});
    await record("Driver", 51, { latitude: 38 });
    const idle = await harness.ok("trucks.create", { params: atYard(), body: aTruck() });
    const places = await lastPlaces();
    expect(places[0]).toEqual(before);
    expect(trucksOf(places)).not.toContain(idle.id);
  });

  it("returns each role the trucks that it sees elsewhere, and refuses customers", async () => {
    const { haulerId, haulerTruckId, truckId } = harness.acme;
    // A hauler sees the locations where it has a job.
    const body = aJob(harness.acme, { third_party_hauler_id: haulerId });
    await harness.ok("jobs.create", { params: atYard(), body });
    const both = [truckId, haulerTruckId];
    const seen: Partial<Record<Role, number[]>> = {
      Admin: both,
      CrmUser: both,
      Dispatcher: both,
      Driver: [truckId],
      ThirdPartyDispatcher: [haulerTruckId],
      ThirdPartyDriver: [haulerTruckId],
    };
    for (const [role, trucks] of Object.entries(seen)) {
      expect([role, trucksOf(await lastPlaces({ as: role as Role }))]).toEqual([role, trucks]);
    }
    const error = await harness.refused("gps.last", { as: "ClientCustomer", params: atYard() });
    expect(error).toMatchObject({ code: "role_not_allowed", status: 403 });
  });

  it("filters by location, and shows the location only to callers who may see it", async () => {
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    expect(await lastPlaces({ params: { location_id: north.id } })).toEqual([]);
    const bound = await harness.addCaller({ location_id: north.id, roles: ["Dispatcher"] });
    expect(await lastPlaces({ as: bound, params: { location_id: north.id } })).toEqual([]);
    for (const as of [bound, harness.globex.caller]) {
      const error = await harness.refused("gps.last", { as, params: atYard() });
      expect(error).toMatchObject({ status: 404 });
    }
  });

  it("is paged by truck", async () => {
    const { haulerTruckId } = harness.acme;
    const second = await harness.ok("gps.last", {
      params: atYard(),
      query: { page_index: "2", page_limit: "1" },
    });
    expect(second).toMatchObject({ total_count: 2, total_pages: 2 });
    expect(trucksOf(second.results)).toEqual([haulerTruckId]);
  });
});
