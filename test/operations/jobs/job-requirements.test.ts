import { expect, it } from "vitest";
import type { ErrorBody } from "../../../src/errors/errors.ts";
import type { OperationName } from "../../../src/operations/index.ts";
import type { Json } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { inYardOf } from "./a-job-of.ts";

type Part = [OperationName, Json];

const anImage = (description: string | null): Part => [
  "jobs.add-image",
  { description, url: "https://example.com/1.jpg" },
];
const aMaterial = (fields: Json): Part => ["jobs.add-material", fields];
const anItem = (weight: number): Part => [
  "jobs.add-item",
  { deduct_weight: 0, description: "Tyres", heavy_weight: weight },
];

/** The requirements of a completion, written by hand, each with parts that fail it and parts that meet it. */
const requirements: [string, { doesNot: Part[]; does: Part[] }][] = [
  [
    "require_image",
    {
      doesNot: [aMaterial({ quantity: 1 }), anItem(5), anImage("Signature of Ms Żak")],
      does: [anImage(null)],
    },
  ],
  [
    "require_signature",
    {
      doesNot: [anImage(null), anImage("no signature"), aMaterial({ material_name: "signature" })],
      does: [anImage("SIGNATURE of Ms Żak"), anImage("signature")],
    },
  ],
  [
    "require_material",
    {
      doesNot: [aMaterial({ quantity: 1 }), aMaterial({ material_name: "" }), anItem(5)],
      does: [aMaterial({ material_name: "Concrete" })],
    },
  ],
  [
    "require_weights",
    {
      doesNot: [
        aMaterial({ material_name: "Concrete" }),
        aMaterial({ heavy_weight: 5 }),
        aMaterial({ light_weight: 5, tare_weight: 2 }),
        anItem(5),
      ],
      does: [aMaterial({ heavy_weight: 5, light_weight: 2 }), aMaterial({ heavy_weight: 5, tare_weight: 2 })],
    },
  ],
  [
    "require_materials",
    { doesNot: [aMaterial({ heavy_weight: 5, light_weight: 2 }), anItem(0)], does: [anItem(5)] },
  ],
];

describeOnEveryTarget("requirements that a driver meets before completion", (harness) => {
  const yard = inYardOf(harness);
  const add = (id: number, [name, body]: Part) =>
    harness.ok(name, { as: "Driver", body, params: yard.at(id) });
  const done = { is_completed: true };

  it.each(requirements)("%s blocks the completion until it is met", async (name, { does, doesNot }) => {
    for (const enough of does) {
      const { id } = await yard.create({ [name]: true, truck_id: harness.acme.truckId });
      for (const part of [null, ...doesNot]) {
        if (part) await add(id, part);
        const before = harness.store.contents();
        const answer = await yard.update(id, done, "Driver");
        expect(answer).toMatchObject({
          status: 409,
          body: { code: "state_conflict", field: "UpdateJobProfileModel.is_completed" },
        });
        expect((answer.body as ErrorBody).detail).toContain(`for ${name}.`);
        expect(harness.store.contents()).toEqual(before);
      }
      await add(id, enough);
      expect(await yard.updated(id, done, { as: "Driver" })).toMatchObject(done);
    }
  });

  it("reports all missing requirements at once", async () => {
    const all = Object.fromEntries(requirements.map(([name]) => [name, true]));
    const { id } = await yard.create({ ...all, truck_id: harness.acme.haulerTruckId });
    const { body } = await yard.update(id, done, "ThirdPartyDriver");
    const { detail } = body as ErrorBody;
    for (const [name] of requirements) expect(detail).toContain(`for ${name}`);
    expect(detail).toContain('an image whose description begins with "signature"');
  });

  it.each(["Admin", "Dispatcher"] as const)("%s completes without meeting requirements", async (as) => {
    const { id } = await yard.create({ require_image: true });
    expect(await yard.updated(id, done, { as })).toMatchObject(done);
  });

  it("a second role exempts a driver only if that role may complete jobs without them", async () => {
    const { id } = await yard.create({ require_image: true, truck_id: harness.acme.truckId });
    const { driverId: driver_id } = harness.acme;
    const crm = await harness.addCaller({ driver_id, roles: ["CrmUser", "Driver"] });
    expect((await yard.update(id, done, crm)).status).toBe(409);
    const dispatcher = await harness.addCaller({ driver_id, roles: ["Dispatcher", "Driver"] });
    expect((await yard.update(id, done, dispatcher)).status).toBe(200);
  });

  it("block only the completion", async () => {
    const { id } = await yard.create({ require_image: true, truck_id: harness.acme.truckId });
    const body = { fail_reason: "Gate locked", is_failed: true };
    expect(await yard.updated(id, body, { as: "Driver" })).toMatchObject(body);
  });
});
