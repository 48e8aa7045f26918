import { expect, it } from "vitest";
import { aTruck } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import {
  describeBody,
  describePaging,
  describePathIds,
  describeUnknownParameters,
  toViolations,
} from "../../support/describe-input.ts";
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
  trailer_id: takes.integer(1),
  type: takes.text(1, 50),
  weight: takes.number(0, 10_000_000),
};

describeOnEveryTarget("trucks.create", (bed) => {
  const atYard = () => ({ location_id: bed.acme.locationId });
  const send = (body: unknown) => bed.call("trucks.create", { params: atYard(), body });

  it("answers every field of the new truck", async () => {
    expect(await bed.ok("trucks.create", { params: atYard(), body: { name: "Truck 7" } })).toEqual({
      driver_id: null,
      id: expect.any(Number),
      interface_color: null,
      location_id: bed.acme.locationId,
      name: "Truck 7",
      notes: null,
      out_of_service: false,
      require_odometer: false,
      third_party_hauler_id: null,
      trailer_id: null,
      type: null,
      weight: null,
    });
  });

  it("takes a driver of the tenant only, and stores nothing otherwise (OP-23)", async () => {
    const truck = await bed.ok("trucks.create", {
      params: atYard(),
      body: aTruck({ driver_id: bed.acme.driverId }),
    });
    expect(truck.driver_id).toBe(bed.acme.driverId);
    const before = bed.store.contents();
    for (const driver_id of [999_999, bed.globex.driverId]) {
      const answer = await send(aTruck({ driver_id }));
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", "CreateTruckModel.driver_id"]]);
    }
    expect(bed.store.contents()).toEqual(before);
  });

  it("is refused beyond the tenant's limit of trucks, at whatever location", async () => {
    const count = bed.store.rows("trucks").filter(({ tenant_id }) => tenant_id === bed.acme.tenantId).length;
    bed.store.update("tenants", bed.acme.tenantId, { truck_limit: count + 1 });
    expect((await send(aTruck())).status).toBe(200);
    const before = bed.store.contents();
    expect(await send(aTruck())).toMatchObject({ status: 409, body: { code: "state_conflict" } });
    expect(bed.store.contents()).toEqual(before);
    bed.store.update("tenants", bed.acme.tenantId, { truck_limit: null });
  });

  it("does not tell another tenant's location from one that is not there (OP-22)", async () => {
    for (const location_id of [999_999, bed.globex.locationId]) {
      const error = await bed.refused("trucks.create", { params: { location_id }, body: aTruck() });
      expect(error).toMatchObject({ status: 404, detail: `There is no location ${location_id}.` });
    }
  });

  describeFields(bed, {
    model: "CreateTruckModel",
    fields: {
      ...Object.fromEntries(Object.entries(settings).map(([name, cases]) => [name, takes.optional(cases)])),
      driver_id: takes.optional(takes.id),
      name: takes.required(takes.text(1, 64)),
      "out_of_service, require_odometer": takes.optional(takes.boolean, false),
      third_party_hauler_id: takes.optional(uuids),
    },
    send: (changes) => send(aTruck(changes)),
  });
  describeBody(bed, { model: "CreateTruckModel", valid: aTruck, send, notAccepted: ["id", "location_id"] });
  describePathIds(["location_id"], (params) => bed.call("trucks.create", { params, body: aTruck() }));
});

describeOnEveryTarget("trucks.update", (bed) => {
  const params = () => ({ location_id: bed.acme.locationId, truck_id: bed.acme.truckId });
  const send = (body: unknown) => bed.call("trucks.update", { params: params(), body });

  it("changes what is named and nothing else; null empties a field", async () => {
    const { driverId, haulerDriverId } = bed.acme;
    const before = await bed.ok("trucks.get", { params: params() });
    expect(before).toMatchObject({ driver_id: driverId, notes: null });
    const changed = await bed.ok("trucks.update", {
      params: params(),
      body: { driver_id: haulerDriverId, notes: "New tyres", out_of_service: 1 },
    });
    expect(changed).toEqual({
      ...before,
      driver_id: haulerDriverId,
      notes: "New tyres",
      out_of_service: true,
    });
    expect(await bed.ok("trucks.update", { params: params(), body: {} })).toEqual(changed);
    const undone = { driver_id: null, notes: null, out_of_service: false };
    expect(await bed.ok("trucks.update", { params: params(), body: undone })).toEqual({
      ...before,
      ...undone,
    });
    expect(await bed.ok("trucks.get", { params: params() })).toEqual({ ...before, ...undone });
  });

  it("takes a driver of the tenant only, and changes nothing otherwise (OP-23)", async () => {
    const before = bed.store.contents();
    for (const driver_id of [999_999, bed.globex.driverId]) {
      const answer = await send({ driver_id, notes: "lost" });
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", "UpdateTruckRequestModel.driver_id"]]);
    }
    expect(bed.store.contents()).toEqual(before);
  });

  it("does not tell a truck of another tenant or location from one that is not there (OP-22)", async () => {
    const before = bed.store.contents();
    const { acme, globex } = bed;
    for (const [location_id, truck_id] of [
      [acme.locationId, 999_999],
      [acme.locationId, globex.truckId],
      [globex.locationId, globex.truckId],
    ] as const) {
      for (const name of ["trucks.get", "trucks.update"] as const) {
        const body = name === "trucks.update" ? { notes: "x" } : undefined;
        const error = await bed.refused(name, { params: { location_id, truck_id }, body });
        expect(error).toMatchObject({ status: 404, detail: `There is no truck ${truck_id}.` });
      }
    }
    expect(bed.store.contents()).toEqual(before);
  });

  describeFields(bed, {
    model: "UpdateTruckRequestModel",
    fields: {
      ...settings,
      driver_id: takes.id,
      name: takes.text(1, 64),
      "out_of_service, require_odometer": takes.boolean,
    },
    send,
  });
  describeBody(bed, {
    model: "UpdateTruckRequestModel",
    valid: () => ({}),
    send,
    notAccepted: ["id", "location_id", "third_party_hauler_id"],
  });
  describePathIds(["location_id", "truck_id"], (given) =>
    bed.call("trucks.update", { params: { ...params(), ...given }, body: {} }),
  );
});

describeOnEveryTarget("trucks.list", (bed) => {
  const list = (query: Record<string, string> = {}) =>
    bed.call("trucks.list", { params: { location_id: bed.acme.locationId }, query });

  it("shows the location's trucks as they are answered one by one, by id", async () => {
    const { haulerTruckId, locationId, truckId } = bed.acme;
    const get = (truck_id: number) => bed.ok("trucks.get", { params: { location_id: locationId, truck_id } });
    const { results } = await bed.ok("trucks.list", { params: { location_id: locationId } });
    expect(results).toEqual([await get(truckId), await get(haulerTruckId)]);
  });

  it("shows no truck of another location", async () => {
    const { id } = await bed.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
    expect((await bed.ok("trucks.list", { params: { location_id: id } })).results).toEqual([]);
  });

  describePaging(list);
  describeUnknownParameters(list);
  describePathIds(["location_id"], (params) => bed.call("trucks.list", { params }));
  describePathIds(["location_id", "truck_id"], (given) =>
    bed.call("trucks.get", { params: { location_id: 1, truck_id: 1, ...given } }),
  );
});
