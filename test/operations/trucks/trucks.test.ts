import { expect, it } from "vitest";
import { aDriver, aTruck, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeLocationRecords } from "../../support/describe-records.ts";
import * as takes from "../../support/field-cases.ts";
import { uuids } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const colors = takes.formed(
  "colours",
  ["#1f6feb", "#ABCDEF"],
  ["", "1f6feb", "#fff", "#1f6feg", "red", "#1f6febb"],
);

const settings = {
  interface_color: colors,
  notes: takes.text(0, 2048),
  off_from: takes.date,
  off_reason: takes.text(1, 200),
  off_until: takes.date,
  trailer_id: takes.integer(1),
  type: takes.text(1, 50),
  weight: takes.number(0, 10_000_000),
};

describeOnEveryTarget("trucks", (harness) => {
  describeLocationRecords(harness, {
    list: "trucks.list",
    create: "trucks.create",
    get: "trucks.get",
    update: "trucks.update",
    idName: "truck_id",
    noun: "truck",
    type: "Truck",
    valid: aTruck,
    change: { notes: "New tyres", out_of_service: true },
  });

  it("notify webhooks of a change, but not of a PATCH that changes nothing", async () => {
    const params = { location_id: harness.acme.locationId };
    const { id } = await harness.ok("trucks.create", { params, body: aTruck() });
    const events = () =>
      harness.store.rows("events").filter((row) => row.kind === "Truck" && row.record_id === id);
    const update = (body: Json) => harness.ok("trucks.update", { params: { ...params, truck_id: id }, body });
    await update({ notes: "New tyres" });
    await update({ notes: "New tyres" });
    await update({});
    expect(events().map(({ action }) => action)).toEqual(["created", "updated"]);
    expect(JSON.parse(String(events()[1]?.data))).toMatchObject({ id, notes: "New tyres" });
  });

  it("have an absence that ends on its first day or later", async () => {
    const params = { location_id: harness.acme.locationId, truck_id: harness.acme.truckId };
    const update = (body: Json) => harness.call("trucks.update", { params, body });
    await harness.ok("trucks.update", { params, body: { off_from: "2026-12-02", off_until: "2026-12-02" } });
    const before = harness.store.contents();
    const refused = { status: 400, body: { field: "UpdateTruckRequestModel.off_until" } };
    expect(await update({ off_until: "2026-12-01" })).toMatchObject(refused);
    expect(await update({ off_from: "2026-12-03" })).toMatchObject(refused);
    expect(harness.store.contents()).toEqual(before);
  });

  it("accept only a driver of their own location; the error names the location of another driver", async () => {
    const { locationId, truckId } = harness.acme;
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "Far north" } });
    const params = { location_id: north.id };
    const far = await harness.ok("drivers.create", { params, body: aDriver() });
    const before = harness.store.contents();
    const at = { location_id: locationId };
    const refused = {
      CreateTruckModel: await harness.refused("trucks.create", {
        params: at,
        body: aTruck({ driver_id: far.id }),
      }),
      UpdateTruckRequestModel: await harness.refused("trucks.update", {
        params: { ...at, truck_id: truckId },
        body: { driver_id: far.id },
      }),
    };
    for (const [model, { detail, see, status }] of Object.entries(refused)) {
      expect(status).toBe(400);
      expect(detail).toBe(
        `${model}.driver_id: driver ${far.id} belongs to location ${north.id}, not to location ${locationId}.`,
      );
      expect(see).toEqual({ method: "GET", path: `/locations/${locationId}/drivers` });
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("may share a driver", async () => {
    const body = { driver_id: harness.acme.driverId };
    const params = { location_id: harness.acme.locationId };
    for (const _ of [1, 2])
      expect(await harness.ok("trucks.create", { params, body: aTruck(body) })).toMatchObject(body);
  });
});

describeOnEveryTarget("trucks.create", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const send = (body: unknown) => harness.call("trucks.create", { params: atYard(), body });

  it("returns every field of the new truck", async () => {
    expect(await harness.ok("trucks.create", { params: atYard(), body: { name: "Truck 7" } })).toEqual({
      driver_id: null,
      id: expect.any(Number),
      interface_color: null,
      location_id: harness.acme.locationId,
      name: "Truck 7",
      notes: null,
      off_from: null,
      off_reason: null,
      off_until: null,
      out_of_service: false,
      require_odometer: false,
      third_party_hauler_id: null,
      trailer_id: null,
      type: null,
      weight: null,
    });
  });

  it("accepts only a driver of the tenant, and stores nothing otherwise", async () => {
    const truck = await harness.ok("trucks.create", {
      params: atYard(),
      body: aTruck({ driver_id: harness.acme.driverId }),
    });
    expect(truck.driver_id).toBe(harness.acme.driverId);
    const before = harness.store.contents();
    for (const driver_id of [999_999, harness.globex.driverId]) {
      const answer = await send(aTruck({ driver_id }));
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", "CreateTruckModel.driver_id"]]);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("is refused above the truck limit of the tenant, at any location", async () => {
    const count = harness.store
      .rows("trucks")
      .filter(({ tenant_id }) => tenant_id === harness.acme.tenantId).length;
    harness.store.update("tenants", harness.acme.tenantId, { truck_limit: count + 1 });
    expect((await send(aTruck())).status).toBe(200);
    const before = harness.store.contents();
    expect(await send(aTruck())).toMatchObject({ status: 409, body: { code: "state_conflict" } });
    expect(harness.store.contents()).toEqual(before);
    harness.store.update("tenants", harness.acme.tenantId, { truck_limit: null });
  });

  describeFields(harness, {
    model: "CreateTruckModel",
    fields: {
      ...takes.allOptional(settings),
      driver_id: takes.optional(takes.id),
      name: takes.required(takes.text(1, 64)),
      "out_of_service, require_odometer": takes.optional(takes.boolean, false),
      third_party_hauler_id: takes.optional(uuids),
    },
    send: (changes) => send(aTruck(changes)),
  });
});

describeOnEveryTarget("trucks.update", (harness) => {
  const params = () => ({ location_id: harness.acme.locationId, truck_id: harness.acme.truckId });
  const send = (body: unknown) => harness.call("trucks.update", { params: params(), body });

  it("changes only the fields in the body; null empties a field", async () => {
    const { driverId, haulerDriverId } = harness.acme;
    const before = await harness.ok("trucks.get", { params: params() });
    expect(before).toMatchObject({ driver_id: driverId, notes: null });
    const changed = await harness.ok("trucks.update", {
      params: params(),
      body: { driver_id: haulerDriverId, notes: "New tyres", out_of_service: 1 },
    });
    expect(changed).toEqual({
      ...before,
      driver_id: haulerDriverId,
      notes: "New tyres",
      out_of_service: true,
    });
    expect(await harness.ok("trucks.update", { params: params(), body: {} })).toEqual(changed);
    const undone = { driver_id: null, notes: null, out_of_service: false };
    expect(await harness.ok("trucks.update", { params: params(), body: undone })).toEqual({
      ...before,
      ...undone,
    });
    expect(await harness.ok("trucks.get", { params: params() })).toEqual({ ...before, ...undone });
  });

  it("accepts only a driver of the tenant, and changes nothing otherwise", async () => {
    const before = harness.store.contents();
    for (const driver_id of [999_999, harness.globex.driverId]) {
      const answer = await send({ driver_id, notes: "lost" });
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", "UpdateTruckRequestModel.driver_id"]]);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  describeFields(harness, {
    model: "UpdateTruckRequestModel",
    fields: {
      ...takes.allOptional(settings),
      driver_id: takes.id,
      name: takes.text(1, 64),
      "out_of_service, require_odometer": takes.boolean,
    },
    send,
  });
});
