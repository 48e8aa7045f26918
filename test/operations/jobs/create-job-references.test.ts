import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorBody } from "../../../src/errors/errors.ts";
import { aCustomer, aJob, anAddress, type Json } from "../../support/builders.ts";
import { toViolations } from "../../support/describe-input.ts";
import { addFleet, type Fleet } from "../../support/fleet.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const model = "CreateJobRequestBodyModel";

describeOnEveryTarget("jobs.create, ids of other records", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const send = (changes: Json) =>
    harness.call("jobs.create", { params: atYard(), body: aJob(harness.acme, changes) });
  let fleet: Fleet;
  let foreign: Fleet;

  beforeAll(() => {
    fleet = addFleet(harness.store, harness.acme);
    foreign = addFleet(harness.store, harness.globex);
  });

  it("returns the referenced records with every field", async () => {
    const { assetId, assetTypeId, dumpId } = fleet;
    const assetType = {
      deleted: false,
      id: assetTypeId,
      is_default: true,
      location_id: harness.acme.locationId,
      name: "20 yd roll-off",
      quantity: 4,
      require_numbers: false,
      weight: 1500.5,
    };
    const asset = {
      asset_type: assetType,
      asset_type_id: assetTypeId,
      cluster: null,
      customer_id: null,
      description: "Blue",
      dispatched_on: null,
      id: assetId,
      is_returned: false,
      last_activity_on: null,
      last_rental_invoice_on: null,
      latitude: null,
      location: {
        latitude: null,
        line_1: "1 Dock Road",
        line_2: null,
        line_3: null,
        line_4: null,
        locality: "Tacoma",
        longitude: null,
        postcode: null,
        region: null,
      },
      location_id: harness.acme.locationId,
      longitude: null,
      number: "R-20",
      quantity: null,
      returned_on: null,
    };
    const dump = {
      address: null,
      city: "Tacoma",
      contact_email: null,
      contact_name: null,
      contact_phone: null,
      description: "North landfill",
      id: dumpId,
      is_holding_yard: false,
      latitude: 47.25,
      location_id: harness.acme.locationId,
      longitude: null,
      state: null,
      zip: null,
    };
    const ids = {
      asset_dropped_id: assetId,
      asset_id: assetId,
      asset_type_id: assetTypeId,
      dump_location_id: dumpId,
      final_location_id: dumpId,
      start_location_id: dumpId,
    };
    expect((await send({ ...ids, type: "E" })).body).toMatchObject({
      ...ids,
      asset,
      asset_type: assetType,
      dropped_asset: asset,
      dump_location: dump,
      final_location: dump,
      start_location: dump,
    });
  });

  it.each([
    ["asset_dropped_id", () => foreign.assetId],
    ["asset_id", () => foreign.assetId],
    ["asset_type_id", () => foreign.assetTypeId],
    ["completed_by", () => harness.globex.caller.user.id],
    ["customer_id", () => harness.globex.customerId],
    ["dump_location_id", () => foreign.dumpId],
    ["final_location_id", () => foreign.dumpId],
    ["requested_by", () => harness.globex.customerId],
    ["start_location_id", () => foreign.dumpId],
    ["truck_id", () => harness.globex.truckId],
    ["address_id", () => harness.globex.addressId],
  ])("refuses a missing %s and one of another tenant alike, and stores nothing", async (name, other) => {
    const before = harness.store.contents();
    const details = [];
    for (const id of [999_999, other()]) {
      const answer = await send({ [name]: id });
      expect(toViolations(answer)).toEqual([400, ["unknown_reference", `${model}.${name}`]]);
      details.push((answer.body as ErrorBody).detail.replace(new RegExp(`\\b${id}\\b`), "#"));
    }
    expect(details[0]).toBe(details[1]);
    expect(harness.store.contents()).toEqual(before);
  });

  it("reports all unknown ids at once", async () => {
    const names = [
      "asset_dropped_id",
      "asset_id",
      "asset_type_id",
      "completed_by",
      "customer_id",
      "dump_location_id",
    ];
    const more = ["final_location_id", "requested_by", "start_location_id", "truck_id"];
    const unknown = Object.fromEntries([...names, ...more].map((name) => [name, 999_999]));
    const [status, ...violations] = toViolations(await send({ ...unknown, customer_id: 999_998 })) as [
      number,
      ...string[][],
    ];
    expect(status).toBe(400);
    expect(violations.map(([, field]) => field).toSorted()).toEqual(
      [...names, ...more].map((name) => `${model}.${name}`).toSorted(),
    );
  });

  describe("asset_dropped_id", () => {
    it.each(["D", "E"])("is allowed with type %s", async (type) => {
      expect((await send({ asset_dropped_id: fleet.assetId, type })).status).toBe(200);
    });

    it.each(["L", "P", "R"])("is refused with type %s", async (type) => {
      const answer = await send({ asset_dropped_id: fleet.assetId, type });
      expect(toViolations(answer)).toEqual([400, ["not_for_type", `${model}.asset_dropped_id`]]);
    });

    it.each(["D", "E", "L", "P", "R"])(
      "is refused, but asset_id and asset_type_id are allowed with type %s",
      async (type) => {
        const ids = { asset_id: fleet.assetId, asset_type_id: fleet.assetTypeId };
        expect(await send({ ...ids, type })).toMatchObject({ status: 200, body: ids });
      },
    );
  });

  describe("address_id", () => {
    it("is an active address of customer_id if set, otherwise of requested_by", async () => {
      const other = await harness.ok("customers.create", { params: atYard(), body: aCustomer() });
      const theirs = other.addresses[0]?.id;
      const unknown = [400, ["unknown_reference", `${model}.address_id`]];
      expect(toViolations(await send({ address_id: theirs }))).toEqual(unknown);
      expect(toViolations(await send({ customer_id: other.id }))).toEqual(unknown);
      const body = { address_id: theirs, customer_id: other.id };
      expect(await send(body)).toMatchObject({
        status: 200,
        body: { ...body, customer: { id: other.id }, requested_by: harness.acme.customerId },
      });
    });

    it("cannot be an inactive address", async () => {
      const params = { customer_id: harness.acme.customerId };
      const { id } = await harness.ok("addresses.add", { params, body: anAddress() });
      expect((await send({ address_id: id })).status).toBe(200);
      harness.store.update("addresses", id, { is_active: 0 });
      // Every change of a customer's part increases its revision.
      harness.store.update("customers", params.customer_id, { revision: 1000 });
      expect(toViolations(await send({ address_id: id }))).toEqual([
        400,
        ["unknown_reference", `${model}.address_id`],
      ]);
    });
  });

  it("accepts only customers of the location of the job", async () => {
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North yard" } });
    const params = { location_id: north.id };
    const answer = await harness.call("jobs.create", { params, body: aJob(harness.acme) });
    expect(toViolations(answer)).toEqual([400, ["unknown_reference", `${model}.requested_by`]]);
    const there = await harness.ok("customers.create", { params, body: aCustomer() });
    expect(toViolations(await send({ customer_id: there.id }))).toEqual([
      400,
      ["unknown_reference", `${model}.customer_id`],
    ]);
  });

  it("accepts only trucks that are in service at the location of the job", async () => {
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "South yard" } });
    const far = await harness.ok("trucks.create", {
      params: { location_id: north.id },
      body: { name: "Far" },
    });
    expect(toViolations(await send({ truck_id: far.id }))).toEqual([
      400,
      ["unknown_reference", `${model}.truck_id`],
    ]);
    const broken = { name: "Broken", out_of_service: true };
    const { id } = await harness.ok("trucks.create", { params: atYard(), body: broken });
    const before = harness.store.contents();
    expect(await send({ truck_id: id })).toMatchObject({ status: 409, body: { code: "state_conflict" } });
    expect(harness.store.contents()).toEqual(before);
  });

  it("stores ids of records that the service does not manage", async () => {
    const ids = {
      add_to_routes: "999999",
      dispatched_by_route: 999_999,
      job_group_id: -1,
      merged_with_route_id: 999_999,
      pickup_item: 0,
      third_party_hauler_id: "00000000-0000-4000-8000-000000000000",
    };
    expect(await send(ids)).toMatchObject({ status: 200, body: ids });
  });
});
