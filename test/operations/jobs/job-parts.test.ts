import { beforeAll, describe, expect, it } from "vitest";
import type { OperationName } from "../../../src/operations/index.ts";
import type { Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import * as takes from "../../support/field-cases.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";
import { inYardOf, whatIsLeftBy } from "./a-job-of.ts";

const anyNumber = takes.number(0, 1e9);
/** Weights have no upper bound. */
const weights: takes.FieldCases = {
  ...anyNumber,
  refused: anyNumber.refused.filter(([, code]) => code !== "too_big"),
  rule: "weights from 0",
};

const urls = takes.formed(
  "absolute http and https addresses",
  ["https://example.com/17.jpg?size=1", "http://[::1]:8080/ż.png"],
  [
    "",
    "17.jpg",
    "//example.com/1",
    "javascript:alert(1)",
    "data:image/png;base64,AA==",
    "ftp://example.com/1",
  ],
);

interface PartUnderTest {
  name: OperationName;
  model: string;
  valid: Json;
  fields: Record<string, takes.FieldCases>;
}

const parts: PartUnderTest[] = [
  {
    fields: { description: takes.optional(takes.text(0, 2048)), url: takes.required(urls) },
    model: "CreateJobImageModel",
    name: "jobs.add-image",
    valid: { url: "https://example.com/1.jpg" },
  },
  {
    fields: {
      "heavy_weight, light_weight, tare_weight": takes.optional(weights),
      material_item_id: takes.optional(takes.id),
      material_name: takes.optional(takes.text(0, 200)),
    },
    model: "CreateJobMaterialModel",
    name: "jobs.add-material",
    valid: { quantity: 1 },
  },
  {
    fields: {
      "deduct_weight, heavy_weight": takes.required(weights),
      description: takes.required(takes.text(0, 2048)),
      "is_completed, is_declined, is_failed": { ...takes.boolean, taken: [] },
      "light_weight, quantity": takes.optional(weights),
      material_item_id: takes.id,
      notes: takes.optional(takes.text(0, 2048)),
    },
    model: "CreateAdditionalItemModel",
    name: "jobs.add-item",
    valid: { deduct_weight: 0, description: "Tyres", heavy_weight: 120 },
  },
];

/** Inserts a material directly, because no operation creates one yet. */
function addMaterialTo(
  harness: Harness,
  { locationId, tenantId }: { locationId: number; tenantId: number },
): number {
  return harness.store.insert("materials", {
    created_on: testStart,
    description: "Concrete",
    location_id: locationId,
    tenant_id: tenantId,
  });
}

describeOnEveryTarget("the parts of a job", (harness) => {
  const yard = inYardOf(harness);
  let jobId = 0;
  const add = (name: OperationName, body: unknown, id = jobId) =>
    harness.call(name, { body, params: yard.at(id) });

  beforeAll(async () => {
    jobId = (await yard.create()).id;
  });

  it("jobs.add-image returns the job with its images, in the order of their creation", async () => {
    const job = await yard.create();
    const { user } = harness.acme.callers.Driver;
    await yard.dispatched(job.id, { truck_id: harness.acme.truckId });
    const before = await yard.get(job.id);
    harness.clock.advance(1000);
    const now = harness.clock.now();
    const params = yard.at(job.id);
    const first = { description: "Container 📦", url: "https://example.com/1.jpg" };
    await harness.ok("jobs.add-image", { as: "Driver", body: first, params });
    const shown = await harness.ok("jobs.add-image", { as: "Driver", body: { url: first.url }, params });
    const made = { created_by: user.id, created_on: now, id: expect.any(Number), url: first.url };
    expect(shown).toEqual({
      ...before,
      images: [
        { ...made, description: first.description },
        { ...made, description: null },
      ],
      last_updated_on: now,
    });
    expect(await yard.get(job.id)).toEqual(shown);
    const { results } = await harness.ok("jobs.list");
    expect(results.find(({ id }) => id === job.id)).toEqual(shown);
    expect(harness.store.rows("jobs").find(({ id }) => id === job.id)).toMatchObject({ image_count: 2 });
  });

  it("jobs.add-material returns the job with its materials", async () => {
    const { id } = await yard.create();
    const material = { heavy_weight: 9200.5, light_weight: 4100, tare_weight: null };
    const named = {
      material_item_id: addMaterialTo(harness, harness.acme),
      material_name: "Béton",
      quantity: 2,
    };
    const body = { ...material, ...named };
    expect(await harness.ok("jobs.add-material", { body, params: yard.at(id) })).toMatchObject({
      materials: [body],
    });
  });

  it("jobs.add-item returns the item and updates the modification time of the job", async () => {
    const { id } = await yard.create();
    harness.clock.advance(1000);
    const body = { deduct_weight: 1, description: "Tyres", heavy_weight: 120.5, is_completed: true };
    const item = await harness.ok("jobs.add-item", { body, params: yard.at(id) });
    expect(item).toEqual({
      deduct_weight: 1,
      description: "Tyres",
      heavy_weight: 120.5,
      id: expect.any(Number),
      light_weight: null,
      notes: null,
      quantity: null,
    });
    expect(harness.store.rows("job_items").at(-1)).toMatchObject({
      created_by: harness.acme.callers.Dispatcher.user.id,
      is_completed: 1,
      is_failed: 0,
      job_id: id,
    });
    expect(await yard.get(id)).toMatchObject({ last_updated_on: harness.clock.now() });
  });

  it("jobs.add-material requires at least one value", async () => {
    const before = harness.store.contents();
    for (const body of [{}, { heavy_weight: null, material_name: null }]) {
      const answer = await add("jobs.add-material", body);
      expect(toViolations(answer)).toEqual([400, ["missing_value", "CreateJobMaterialModel"]]);
    }
    expect(harness.store.contents()).toEqual(before);
  });

  describe.each(parts)("$name", ({ fields, model, name, valid }) => {
    it("writes one event of the job with all its parts, and one audit row with the new part", async () => {
      const { id } = await yard.create();
      const left = await whatIsLeftBy(harness, () => add(name, valid, id));
      const { images, materials } = await yard.get(id);
      expect(left.events).toMatchObject([
        { action: "updated", data: { id, images, materials }, kind: "Job", record_id: id },
      ]);
      expect(left.audit).toMatchObject([{ action: "updated", operation: name, record_id: id }]);
      const part = { "jobs.add-image": "image", "jobs.add-material": "material" }[name as string];
      expect(left.audit[0]).toMatchObject({ after: { [part ?? "additional_item"]: valid } });
    });

    it("is refused for a deleted job", async () => {
      const { id } = await yard.create({ is_deleted: true });
      const before = harness.store.contents();
      expect(await add(name, valid, id)).toMatchObject({
        status: 409,
        body: { code: "state_conflict", detail: expect.stringContaining(`Job ${id} is deleted`) },
      });
      expect(harness.store.contents()).toEqual(before);
    });

    if ("material_item_id" in fields) {
      it("accepts only a material of the tenant", async () => {
        const before = harness.store.contents();
        const foreign = addMaterialTo(harness, harness.globex);
        for (const material_item_id of [999_999, foreign]) {
          const answer = await add(name, { ...valid, material_item_id });
          expect(toViolations(answer)).toEqual([400, ["unknown_reference", `${model}.material_item_id`]]);
        }
        expect({ ...harness.store.contents(), materials: [] }).toEqual({ ...before, materials: [] });
      });
    }

    describeFields(harness, {
      fields,
      model,
      send: (changes) => add(name, { ...valid, ...changes }),
      shown: (body) => {
        const { images, materials } = body as { images?: Json[]; materials?: Json[] };
        return (
          { "jobs.add-image": images?.at(-1), "jobs.add-material": materials?.at(-1) }[name as string] ?? body
        );
      },
    });
  });
});
