import { describe, expect, it } from "vitest";
import { aJob, type Json } from "../../support/builders.ts";
import { describeFields } from "../../support/describe-fields.ts";
import { toViolations } from "../../support/describe-input.ts";
import type { FieldCases } from "../../support/field-cases.ts";
import * as takes from "../../support/field-cases.ts";
import type { Harness } from "../../support/harness.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";
import { testStart } from "../../support/test-clock.ts";
import { jobFacts, jobFlags, jobIds, jobTexts, jobTypeCases } from "./job-field-cases.ts";

/** Ids of records have their own tests. */
const fields = {
  ...toOptional(jobTexts, null),
  ...toOptional(jobIds, null),
  ...toOptional(jobFlags, false),
  ...toOptional({ "times_failed, times_rolled_over": takes.integer(0) }, 0),
  ...toOptional({ "last_updated_on, requested_on": takes.pastDate }, testStart),
  address_id: takes.required(takes.id),
  customer_id: takes.id,
  requested_by: takes.required(takes.id),
  type: takes.required(jobTypeCases),
};

function toOptional(cases: Record<string, FieldCases>, unset: unknown) {
  return Object.fromEntries(
    Object.entries(cases).map(([name, known]) => [name, takes.optional(known, unset)]),
  );
}

const model = "CreateJobRequestBodyModel";

describeOnEveryTarget("jobs.create, field by field", (harness) => {
  describeFields(harness, { model, fields, send: (changes) => create(harness, changes) });

  describeFields(harness, {
    model,
    fields: toOptional(jobFacts, testStart),
    send: (changes) => create(harness, { ...changes, is_completed: true, truck_id: harness.acme.truckId }),
  });

  describe("add_to_routes_settings", () => {
    const shown = (body: Json) => (body.add_to_routes_settings as unknown[])[0];

    describeFields(harness, {
      model: `${model}.add_to_routes_settings[0]`,
      fields: {
        day_of_week: takes.optional(takes.integer(0, 6)),
        frequency_weeks: takes.optional(takes.integer(1, 52)),
        position: takes.optional(takes.integer(0)),
        route_id: takes.required(takes.id),
        starts_on: takes.optional(takes.date),
      },
      send: (changes) =>
        create(harness, { add_to_routes: "7", add_to_routes_settings: [{ route_id: 7, ...changes }] }),
      shown,
    });

    it("is null when unset, and keeps the order of its entries", async () => {
      const answers = [await create(harness, {}), await create(harness, { add_to_routes_settings: null })];
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 200, body: { add_to_routes_settings: null } });
      const nothing = { day_of_week: null, frequency_weeks: null, position: null, starts_on: null };
      const settings = [{ route_id: 9 }, { position: 0, route_id: 7 }];
      expect(
        await create(harness, { add_to_routes: "7, 9", add_to_routes_settings: settings }),
      ).toMatchObject({
        status: 200,
        body: { add_to_routes_settings: settings.map((entry) => ({ ...nothing, ...entry })) },
      });
      expect((await create(harness, { add_to_routes_settings: [] })).body).toMatchObject({
        add_to_routes_settings: [],
      });
    });

    it("may contain only routes of add_to_routes", async () => {
      const settings = [{ route_id: 12 }, { route_id: 1 }, { route_id: 2 }];
      for (const [routes, missing] of [
        ["12, 1", [2]],
        [" 2 ", [0, 1]],
        [null, [0, 1, 2]],
      ] as const) {
        const answer = await create(harness, { add_to_routes: routes, add_to_routes_settings: settings });
        const field = (index: number) => `${model}.add_to_routes_settings[${index}].route_id`;
        expect(toViolations(answer)).toEqual([
          400,
          ...missing.map((index) => ["unknown_reference", field(index)]),
        ]);
      }
    });

    it.each([["7"], [{}], [7]])("is not %j", async (value) => {
      const answer = await create(harness, { add_to_routes: "7", add_to_routes_settings: value });
      expect(toViolations(answer)).toEqual([400, ["wrong_type", `${model}.add_to_routes_settings`]]);
    });
  });
});

function create(harness: Harness, changes: Json) {
  const { acme } = harness;
  return harness.call("jobs.create", { params: { location_id: acme.locationId }, body: aJob(acme, changes) });
}
