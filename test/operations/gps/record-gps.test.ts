import { expect, it } from "vitest";
import { aDriverRow, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";

const coords = {
  accuracy: 4.5,
  altitude: 12,
  heading: 271.5,
  latitude: 38.9,
  longitude: -77.04,
  speed: 13.4,
};
const timestamp = "2026-11-21T11:59:30Z";

describeOnEveryTarget("gps.record", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const send = (body: unknown) => harness.call("gps.record", { as: "Driver", params: atYard(), body });
  const valid = (changes: Json = {}): Json => ({ location: { coords, timestamp, ...changes } });

  it("returns the stop with the driver of the caller and its truck at the location", async () => {
    const { driverId, locationId, tenantId, truckId } = harness.acme;
    const stop = await harness.ok("gps.record", { as: "Driver", params: atYard(), body: valid() });
    expect(stop).toEqual({
      bearing: 271.5,
      created_on: testStart,
      device_name: null,
      driver_id: driverId,
      id: expect.any(Number),
      latitude: 38.9,
      longitude: -77.04,
      truck_id: truckId,
      velocity: 13.4,
    });
    expect(harness.store.rows("gps_events").find(({ id }) => id === stop.id)).toMatchObject({
      accuracy: 4.5,
      altitude: 12,
      location_id: locationId,
      measured_on: "2026-11-21T11:59:30.000000",
      tenant_id: tenantId,
    });
  });

  it("also works for a driver of a third party", async () => {
    const { haulerDriverId, haulerTruckId } = harness.acme;
    const call = { as: "ThirdPartyDriver", params: atYard(), body: valid() } as const;
    expect(await harness.ok("gps.record", call)).toMatchObject({
      driver_id: haulerDriverId,
      truck_id: haulerTruckId,
    });
  });

  it("returns no truck if the driver has none", async () => {
    const { locationId, tenantId } = harness.acme;
    const driver_id = harness.store.insert("drivers", aDriverRow(tenantId, locationId));
    const as = await harness.addCaller({ driver_id, roles: ["Driver"] });
    expect(await harness.ok("gps.record", { as, params: atYard(), body: valid() })).toMatchObject({
      driver_id,
      truck_id: null,
    });
    const other = await harness.ok("locations.create", { as: "Admin", body: { name: "Other yard" } });
    const elsewhere = { as: "Driver", params: { location_id: other.id }, body: valid() } as const;
    expect(await harness.ok("gps.record", elsewhere)).toMatchObject({ truck_id: null });
  });

  it("is refused for a Driver user without a driver (403), and stores nothing", async () => {
    const as = await harness.addCaller({ roles: ["Driver"] });
    const before = harness.store.contents();
    const error = await harness.refused("gps.record", { as, params: atYard(), body: valid() });
    expect(error).toMatchObject({ code: "role_not_allowed", status: 403 });
    expect(error.detail).toContain("not bound to a driver");
    expect(harness.store.contents()).toEqual(before);
  });

  it("writes neither an event nor an audit row, because a measurement is not a change", async () => {
    const counts = () => [harness.store.rows("events").length, harness.store.rows("audit").length];
    const before = counts();
    await send(valid());
    expect(counts()).toEqual(before);
  });

  it("stores a measurement without a position", async () => {
    expect(await send({ location: { timestamp } })).toMatchObject({
      status: 200,
      body: { bearing: null, latitude: null, longitude: null, velocity: null },
    });
  });

  it("requires the location and the timestamp", async () => {
    const model = "GpsEventProfileModel";
    expect(toViolations(await send({}))).toEqual([400, ["missing_value", `${model}.location`]]);
    expect(toViolations(await send({ location: { coords } }))).toEqual([
      400,
      ["missing_value", `${model}.location.timestamp`],
    ]);
  });

  it("refuses a timestamp in the future", async () => {
    const answer = await send(valid({ timestamp: "2026-11-21T12:00:00.000001" }));
    expect(toViolations(answer)).toEqual([400, ["not_past", "GpsEventProfileModel.location.timestamp"]]);
  });

  const numbers = { ...takes.number(0, 359.999999), rule: "degrees from 0 to below 360" };
  const refusedDegrees = numbers.refused.filter(([value]) => value !== 359.999999 + 0.000001);
  describeFields(harness, {
    model: "GpsEventProfileModel.location.coords",
    fields: {
      heading: takes.optional({ ...numbers, refused: [...refusedDegrees, [360, "too_big"]] }),
      latitude: takes.optional(takes.number(-90, 90)),
      longitude: takes.optional(takes.number(-180, 180)),
      speed: takes.optional({ ...takes.number(0, 100), refused: [[-0.1, "too_small"]] }),
    },
    send: (changes) => send({ location: { coords: changes, timestamp } }),
    shown: ({ bearing, latitude, longitude, velocity }) => ({
      heading: bearing,
      latitude,
      longitude,
      speed: velocity,
    }),
  });
});
