import { describe, expect, it } from "vitest";
import { aJob, anAssetType } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { describeLocationRecords } from "../../support/describe-records.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { writtenBy } from "../../support/written.ts";

const amounts = {
  quantity: takes.integer(0),
  weight: takes.number(0, 1e300),
};
const unbounded = (cases: takes.FieldCases): takes.FieldCases => ({
  ...cases,
  refused: cases.refused.filter(([, code]) => code !== "too_big"),
});
const amountFields = { ...amounts, weight: unbounded(amounts.weight) };

describeOnEveryTarget("asset types", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const create = (body: unknown) => harness.ok("asset-types.create", { params: atYard(), body });

  describeLocationRecords(harness, {
    list: "asset-types.list",
    create: "asset-types.create",
    get: "asset-types.get",
    update: "asset-types.update",
    idName: "asset_type_id",
    noun: "asset type",
    type: "AssetType",
    valid: anAssetType,
    change: { deleted: true, weight: 4600.5 },
  });

  it("keep the fields that a PATCH omits; null unsets an amount and resets a flag", async () => {
    expect(await create({ name: "Ünit 😀" })).toEqual({
      deleted: false,
      id: expect.any(Number),
      is_default: false,
      location_id: harness.acme.locationId,
      name: "Ünit 😀",
      quantity: null,
      require_numbers: false,
      weight: null,
    });
  });

  it("have one default for each location: a new default replaces the old one", async () => {
    const made = await create(anAssetType({ is_default: true, quantity: 4, weight: 12 }));
    const params = { ...atYard(), asset_type_id: made.id };
    const body = { deleted: null, is_default: null, quantity: null };
    const reset = { ...made, is_default: false, quantity: null };
    expect(await harness.ok("asset-types.update", { params, body })).toEqual(reset);
  });

  it("that are deleted", async () => {
    const north = await harness.ok("locations.create", { as: "Admin", body: { name: "North" } });
    const params = { location_id: north.id };
    const body = anAssetType({ is_default: true });
    const elsewhere = await create(body);
    const first = await harness.ok("asset-types.create", { params, body });
    const { entries } = await writtenBy(harness, async () => {
      const second = await harness.ok("asset-types.create", {
        params,
        body: anAssetType({ is_default: true }),
      });
      expect(second.is_default).toBe(true);
      const again = { params: { ...params, asset_type_id: first.id }, body: { is_default: true } };
      expect(await harness.ok("asset-types.update", again)).toEqual(first);
      expect(await writtenBy(harness, () => harness.ok("asset-types.update", again))).toEqual({
        events: [],
        entries: [],
      });
    });
    const { results } = await harness.ok("asset-types.list", { params });
    expect(results.map(({ is_default }) => is_default)).toEqual([true, false]);
    const ids = [results[1]?.id, first.id, first.id, results[1]?.id];
    expect(entries.map(({ action, record_id }) => [action, record_id])).toEqual([
      ["created", ids[0]],
      ["updated", ids[1]],
      ["updated", ids[2]],
      ["updated", ids[3]],
    ]);
    const kept = { params: { ...atYard(), asset_type_id: elsewhere.id } };
    expect(await harness.ok("asset-types.get", kept)).toEqual(elsewhere);
  });

  describe("that were deleted", () => {
    it("cannot be used any more, but their assets keep them", async () => {
      const { locationId } = harness.acme;
      const { id } = await create(anAssetType());
      const body = { asset_type_id: id };
      const asset = await harness.ok("assets.create", { params: atYard(), body });
      const params = { ...atYard(), asset_id: asset.id };
      const job = await harness.ok("jobs.create", { params: atYard(), body: aJob(harness.acme, body) });
      await harness.ok("asset-types.update", {
        params: { ...atYard(), asset_type_id: id },
        body: { deleted: true },
      });

      const before = harness.store.contents();
      const refused = {
        CreateJobAssetModel: await harness.refused("assets.create", { params: atYard(), body }),
        CreateJobRequestBodyModel: await harness.refused("jobs.create", {
          params: atYard(),
          body: aJob(harness.acme, body),
        }),
      };
      for (const [model, error] of Object.entries(refused)) {
        expect(error).toMatchObject({
          code: "unknown_reference",
          detail: `${model}.asset_type_id: asset type ${id} was deleted.`,
          see: { method: "GET", path: `/locations/${locationId}/asset_types` },
          status: 400,
        });
      }
      expect(harness.store.contents()).toEqual(before);

      const kept = { ...body, asset_type: { deleted: true, id } };
      expect(await harness.ok("assets.get", { params })).toMatchObject(kept);
      expect(await harness.ok("assets.update", { params, body: { ...body, cluster: "A" } })).toMatchObject(
        kept,
      );
      expect(await harness.ok("jobs.get", { params: { ...atYard(), job_id: job.id } })).toMatchObject(kept);
    });
  });
});

describeOnEveryTarget("asset-types.create", (harness) => {
  const send = (body: unknown) =>
    harness.call("asset-types.create", { params: { location_id: harness.acme.locationId }, body });

  describeFields(harness, {
    model: "CreateJobAssetTypeModel",
    fields: {
      ...takes.allOptional(amountFields),
      "is_default, require_numbers": takes.optional(takes.boolean, false),
      name: takes.required(takes.text(1, 64)),
    },
    send: (changes) => send(anAssetType(changes)),
  });
});

describeOnEveryTarget("asset-types.update", (harness) => {
  let id = 0;
  const send = async (body: unknown) => {
    const atYard = { location_id: harness.acme.locationId };
    if (id === 0) id = (await harness.ok("asset-types.create", { params: atYard, body: anAssetType() })).id;
    return harness.call("asset-types.update", { params: { ...atYard, asset_type_id: id }, body });
  };

  describeFields(harness, {
    model: "UpdateJobAssetTypeModel",
    fields: {
      ...takes.allOptional(amountFields),
      "deleted, is_default, require_numbers": takes.boolean,
      name: takes.text(1, 64),
    },
    send,
  });
});
