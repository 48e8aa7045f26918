import { beforeAll, describe, expect, it } from "vitest";
import { aDriver, aTruck, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeLocationRecords } from "../../support/describe-records.ts";
import * as takes from "../../support/field-cases.ts";
import { emails, uuids } from "../../support/model-fields.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const flags =
  "can_convert_to_group, can_create_requests, can_edit_requests, can_reposition_asset, disable_shift_tracking";

const particulars = {
  address: takes.text(1, 256),
  city: takes.text(1, 86),
  email: emails,
  license_number: takes.text(1, 100),
  off_from: takes.date,
  off_reason: takes.text(1, 200),
  off_until: takes.date,
  phone_number: takes.text(7, 15),
  state: takes.text(1, 32),
  third_party_hauler_id: uuids,
  username: takes.text(1, 64),
  zip: takes.text(1, 86),
};

const thousandAndOne = Array.from({ length: 1001 }, (_, index) => index + 1);

describeOnEveryTarget("drivers", (harness) => {
  describeLocationRecords(harness, {
    list: "drivers.list",
    create: "drivers.create",
    get: "drivers.get",
    update: "drivers.update",
    idName: "driver_id",
    noun: "driver",
    type: "Driver",
    valid: aDriver,
    change: { city: "Tacoma", is_deactivated: true },
    shownAlone: { can_assign_to: [], can_dispatch_to: [] },
  });
});

describeOnEveryTarget("drivers.create", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const send = (body: unknown) => harness.call("drivers.create", { params: atYard(), body });
  const get = (driver_id: number) => harness.ok("drivers.get", { params: { ...atYard(), driver_id } });

  it("returns every field of the new driver", async () => {
    expect(await harness.ok("drivers.create", { params: atYard(), body: { name: "Zoë Ünal 😀" } })).toEqual({
      address: null,
      can_assign_to: null,
      can_convert_to_group: false,
      can_create_requests: false,
      can_dispatch_to: null,
      can_edit_requests: false,
      can_reposition_asset: false,
      city: null,
      disable_shift_tracking: false,
      email: null,
      id: expect.any(Number),
      is_deactivated: false,
      license_number: null,
      location_id: harness.acme.locationId,
      name: "Zoë Ünal 😀",
      off_from: null,
      off_reason: null,
      off_until: null,
      phone_number: null,
      state: null,
      third_party_hauler_id: null,
      username: null,
      zip: null,
    });
  });

  it("returns the drivers that a driver may assign and dispatch to, in drivers.get only", async () => {
    const lists = { can_assign_to: [3, 1], can_dispatch_to: [2] };
    const made = await harness.ok("drivers.create", { params: atYard(), body: aDriver(lists) });
    expect(made).toMatchObject({ can_assign_to: null, can_dispatch_to: null });
    expect(await get(made.id)).toEqual({ ...made, ...lists });
    const { results } = await harness.ok("drivers.list", { params: atYard() });
    expect(results.at(-1)).toEqual(made);
  });

  it.each([
    ["a repeated id", "can_assign_to", [1, 1], "repeated_value", ""],
    ["no id", "can_dispatch_to", [0], "too_small", "[0]"],
    ["a text", "can_assign_to", ["1"], "wrong_type", "[0]"],
    ["no list", "can_dispatch_to", 1, "wrong_type", ""],
    ["a list too long", "can_assign_to", thousandAndOne, "too_many", ""],
  ])("refuses %s in %s", async (_what, name, value, code, at) => {
    const answer = await send(aDriver({ [name]: value }));
    expect(toViolations(answer)).toEqual([400, [code, `CreateDriverModel.${name}${at}`]]);
  });

  it("allows two drivers with the same name", async () => {
    for (const _ of [1, 2]) expect((await send({ name: "John Smith" })).status).toBe(200);
  });

  describeFields(harness, {
    model: "CreateDriverModel",
    fields: {
      ...takes.allOptional(particulars),
      [flags]: takes.optional(takes.boolean, false),
      name: takes.required(takes.text(1, 64)),
    },
    send: (changes) => send(aDriver(changes)),
  });
});

describeOnEveryTarget("drivers.update", (harness) => {
  let driverId = 0;
  const params = () => ({ driver_id: driverId, location_id: harness.acme.locationId });
  const send = (body: unknown) => harness.call("drivers.update", { params: params(), body });
  const update = (body: Json) => harness.ok("drivers.update", { params: params(), body });

  beforeAll(async () => {
    const { id } = await harness.ok("drivers.create", {
      params: { location_id: harness.acme.locationId },
      body: aDriver({ can_assign_to: [1, 2], city: "Tacoma" }),
    });
    driverId = id;
  });

  it("keeps the fields that the body omits; null empties a field, or resets one that is never empty", async () => {
    const before = await harness.ok("drivers.get", { params: params() });
    await update({ can_dispatch_to: [5], city: null, is_deactivated: null });
    expect(await harness.ok("drivers.get", { params: params() })).toEqual({
      ...before,
      can_dispatch_to: [5],
      city: null,
    });
    await update({ can_assign_to: null, can_dispatch_to: [], city: "Tacoma" });
    expect(await harness.ok("drivers.get", { params: params() })).toEqual({ ...before, can_assign_to: [] });
  });

  describe("with a driver who is deactivated", () => {
    const deactivate = async () => {
      const { id } = await harness.ok("drivers.create", {
        params: { location_id: harness.acme.locationId },
        body: aDriver(),
      });
      const truck = { location_id: harness.acme.locationId };
      const driven = await harness.ok("trucks.create", { params: truck, body: aTruck({ driver_id: id }) });
      await harness.ok("drivers.update", {
        params: { ...params(), driver_id: id },
        body: { is_deactivated: true },
      });
      return { driven: { ...truck, truck_id: driven.id }, id };
    };

    it("refuses to assign a truck or a user to the driver, and says why", async () => {
      const { id } = await deactivate();
      const { locationId } = harness.acme;
      const before = harness.store.contents();
      const refused = {
        "CreateTruckModel.driver_id": await harness.refused("trucks.create", {
          params: { location_id: locationId },
          body: aTruck({ driver_id: id }),
        }),
        "UpdateTruckRequestModel.driver_id": await harness.refused("trucks.update", {
          params: { location_id: locationId, truck_id: harness.acme.truckId },
          body: { driver_id: id },
        }),
        "CreateUserModel.driver_id": await harness.refused("users.create", {
          as: "Admin",
          params: { location_id: locationId },
          body: { driver_id: id, roles: ["Driver"], username: "late" },
        }),
      };
      for (const [field, error] of Object.entries(refused)) {
        expect(error).toMatchObject({
          code: "unknown_reference",
          detail: `${field}: driver ${id} was deactivated.`,
          see: { method: "GET", path: `/locations/${locationId}/drivers` },
          field,
          status: 400,
        });
      }
      expect(harness.store.contents()).toEqual(before);
    });

    it("keeps the driver on the truck, even when other fields of the truck change", async () => {
      const { driven, id } = await deactivate();
      const body = { driver_id: id, notes: "Keys at the gate" };
      expect(await harness.ok("trucks.update", { params: driven, body })).toMatchObject(body);
    });

    it("accepts the driver again after its reactivation", async () => {
      const { driven, id } = await deactivate();
      const params = { driver_id: id, location_id: harness.acme.locationId };
      await harness.ok("drivers.update", { params, body: { is_deactivated: false } });
      await harness.ok("trucks.update", { params: driven, body: { driver_id: null } });
      expect(await harness.ok("trucks.update", { params: driven, body: { driver_id: id } })).toMatchObject({
        driver_id: id,
      });
    });
  });

  describeFields(harness, {
    model: "UpdateDriverModel",
    fields: {
      ...takes.allOptional(particulars),
      [`${flags}, is_deactivated`]: takes.boolean,
      name: takes.text(1, 64),
    },
    send,
  });
});
