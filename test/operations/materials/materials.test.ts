import { expect, it } from "vitest";
import { describeFields } from "../../support/describe-fields.ts";
import { describeLocationRecords } from "../../support/describe-records.ts";
import * as takes from "../../support/field-cases.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

/** Numbers of any size and sign. */
const anyNumber: takes.FieldCases = {
  rule: "numbers",
  taken: [-1e300, -0.5, 0, 38.25, 1e300].map((value) => [value, value] as const),
  refused: ["1", "", true, [], {}].map((value) => [value, "wrong_type"] as const),
};

describeOnEveryTarget("materials", (harness) => {
  const atYard = () => ({ location_id: harness.acme.locationId });
  const send = (body: unknown) => harness.call("materials.create", { params: atYard(), body });

  describeLocationRecords(harness, {
    list: "materials.list",
    create: "materials.create",
    idName: "material_id",
    noun: "material",
    type: "Material",
    valid: () => ({ description: "Béton 😀" }),
    change: {},
  });

  it("are returned with every field and their creation time", async () => {
    expect(await harness.ok("materials.create", { params: atYard(), body: {} })).toEqual({
      created_on: harness.clock.now(),
      description: null,
      factor: null,
      group_description: null,
      id: expect.any(Number),
      line_item_id: null,
      location_id: harness.acme.locationId,
      unit_price: null,
      uom: null,
    });
  });

  describeFields(harness, {
    model: "CreateMaterialModel",
    fields: takes.allOptional({
      description: takes.text(0, 200),
      "factor, unit_price": anyNumber,
      group_description: takes.text(0, 100),
      line_item_id: takes.foreignInteger,
      uom: takes.text(0, 25),
    }),
    send,
  });
});
