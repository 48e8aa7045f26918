import { beforeAll, describe, expect, it } from "vitest";
import { aCustomer, anAssetType, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import { describeLocationRecords } from "../../support/describe-records.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

const fields = takes.allOptional({
  cluster: takes.text(0, 64),
  description: takes.text(0, 2048),
  "dispatched_on, last_activity_on, last_rental_invoice_on, returned_on": takes.date,
  latitude: takes.number(-90, 90),
  longitude: takes.number(-180, 180),
  number: takes.text(1, 32),
  quantity: takes.integer(0),
});

const addressFields = takes.allOptional({
  latitude: takes.number(-90, 90),
  "line_1, line_2, line_3, line_4": takes.text(0, 256),
  locality: takes.text(0, 86),
  longitude: takes.number(-180, 180),
  postcode: takes.text(0, 86),
  region: takes.text(0, 32),
});

describeOnEveryTarget("assets", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const create = (body: Json = {}) => harness.ok("assets.create", { params: atYard(), body });
  const paramsOf = (asset_id: number) => ({ ...atYard(), asset_id });

  describeLocationRecords(harness, {
    list: "assets.list",
    create: "assets.create",
    get: "assets.get",
    update: "assets.update",
    idName: "asset_id",
    noun: "asset",
    type: "Asset",
    valid: () => ({ number: "R20-ß" }),
    change: { is_returned: true, returned_on: "2026-11-20T08:00:00.000000" },
  });

  it("are returned with every field, including their type", async () => {
    const type = await harness.ok("asset-types.create", { params: atYard(), body: anAssetType() });
    const { customerId, locationId } = harness.acme;
    const body = { asset_type_id: type.id, customer_id: customerId, location: { line_1: "1 Dock Road" } };
    expect(await create(body)).toEqual({
      asset_type: type,
      asset_type_id: type.id,
      cluster: null,
      customer_id: customerId,
      description: null,
      dispatched_on: null,
      id: expect.any(Number),
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
        locality: null,
        longitude: null,
        postcode: null,
        region: null,
      },
      location_id: locationId,
      longitude: null,
      number: null,
      quantity: null,
      returned_on: null,
    });
  });

  it("replace their whole address; null removes it, and sending the same address changes nothing", async () => {
    const made = await create({ location: { line_1: "1 Dock Road", locality: "Tacoma" } });
    const update = (body: Json) => harness.ok("assets.update", { params: paramsOf(made.id), body });
    const before = harness.store.contents();
    await update({ location: made.location });
    expect(harness.store.contents()).toEqual(before);
    expect(await update({ location: { locality: "Olympia" } })).toMatchObject({
      location: { line_1: null, locality: "Olympia" },
    });
    expect(await update({ location: null })).toEqual({ ...made, location: null });
  });

  it.each(["asset_type_id", "customer_id"])("accept only a %s of the tenant", async (name) => {
    const { caller, customerId, locationId } = harness.globex;
    const type = await harness.ok("asset-types.create", {
      as: caller,
      params: { location_id: locationId },
      body: anAssetType(),
    });
    const { id } = await create();
    const before = harness.store.contents();
    for (const unknown of [999_999, name === "customer_id" ? customerId : type.id]) {
      const body = { [name]: unknown, cluster: "lost" };
      const answers = {
        CreateJobAssetModel: await harness.call("assets.create", { params: atYard(), body }),
        UpdateJobAssetModel: await harness.call("assets.update", { params: paramsOf(id), body }),
      };
      for (const [model, answer] of Object.entries(answers)) {
        expect(toViolations(answer)).toEqual([400, ["unknown_reference", `${model}.${name}`]]);
      }
    }
    expect(harness.store.contents()).toEqual(before);
  });

  it("report both unknown ids at once, and the requests that list the valid ones", async () => {
    const body = { asset_type_id: 999_999, customer_id: 999_999 };
    const { errors } = await harness.refused("assets.create", { params: atYard(), body });
    const at = `/locations/${harness.acme.locationId}`;
    expect(errors.map(({ detail, see }) => [detail, see])).toEqual([
      [
        "CreateJobAssetModel.asset_type_id: there is no asset type 999999.",
        { method: "GET", path: `${at}/asset_types` },
      ],
      [
        "CreateJobAssetModel.customer_id: there is no customer 999999.",
        { method: "GET", path: `${at}/customers` },
      ],
    ]);
  });

  it("accept an asset type of another location of the tenant", async () => {
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const type = await harness.ok("asset-types.create", {
      params: { location_id: north.id },
      body: anAssetType(),
    });
    expect(await create({ asset_type_id: type.id })).toMatchObject({ asset_type: type });
  });
});

describeOnEveryTarget("assets.list", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const ids: Record<string, number> = {};
  let typeId = 0;
  let otherCustomerId = 0;

  beforeAll(async () => {
    const params = atYard();
    typeId = (await harness.ok("asset-types.create", { params, body: anAssetType() })).id;
    otherCustomerId = (await harness.ok("customers.create", { params, body: aCustomer() })).id;
    const bodies: Record<string, Json> = {
      "in the yard": { is_returned: true },
      "of the type": { asset_type_id: typeId },
      "at the customer": { customer_id: harness.acme.customerId },
      "of the type at the other": { asset_type_id: typeId, customer_id: otherCustomerId },
    };
    for (const [name, body] of Object.entries(bodies))
      ids[name] = (await harness.ok("assets.create", { params, body })).id;
  });

  describe("finds matching assets", () => {
    it.each([
      ["of a type", () => ({ asset_type_id: typeId }), ["of the type", "of the type at the other"]],
      ["at a customer", () => ({ customer_id: otherCustomerId }), ["of the type at the other"]],
      ["back in the yard", () => ({ is_returned: true }), ["in the yard"]],
      [
        "that are out",
        () => ({ is_returned: "0" }),
        ["of the type", "at the customer", "of the type at the other"],
      ],
      ["that pass every filter", () => ({ asset_type_id: typeId, customer_id: harness.acme.customerId }), []],
      ["of a type that is not there", () => ({ asset_type_id: 999_999 }), []],
    ] as [string, () => Record<string, string | number | boolean>, string[]][])(
      "%s",
      async (_what, query, names) => {
        const answer = await harness.ok("assets.list", { params: atYard(), query: query() });
        expect(answer.results.map(({ id }) => id)).toEqual(names.map((name) => ids[name]));
        expect(answer.total_count).toBe(names.length);
      },
    );
  });
});

describeOnEveryTarget("assets.create", (harness) => {
  const send = (body: unknown) =>
    harness.call("assets.create", { params: { location_id: harness.acme.locationId }, body });

  describeFields(harness, {
    model: "CreateJobAssetModel",
    fields: {
      ...fields,
      "asset_type_id, customer_id": takes.optional(takes.id),
      is_returned: takes.optional(takes.boolean, false),
    },
    send,
  });
  describe("the location", () => {
    describeFields(harness, {
      model: "CreateJobAssetModel.location",
      fields: addressFields,
      send: (location) => send({ location }),
      shown: ({ location }) => location,
    });
  });
});

describeOnEveryTarget("assets.update", (harness) => {
  let id = 0;
  const send = async (body: unknown) => {
    const atYard = { location_id: harness.acme.locationId };
    if (id === 0) id = (await harness.ok("assets.create", { params: atYard, body: {} })).id;
    return harness.call("assets.update", { params: { ...atYard, asset_id: id }, body });
  };

  describeFields(harness, {
    model: "UpdateJobAssetModel",
    fields: { ...fields, "asset_type_id, customer_id": takes.optional(takes.id), is_returned: takes.boolean },
    send,
  });
  describe("the location", () => {
    describeFields(harness, {
      model: "UpdateJobAssetModel.location",
      fields: addressFields,
      send: (location) => send({ location }),
      shown: ({ location }) => location,
    });
  });
});
