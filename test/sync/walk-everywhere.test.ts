import { expect, it } from "vitest";
import { newestVersion } from "../../src/models/api-versions.ts";
import type { JsonObject } from "../../src/models/json.ts";
import { loadOperation } from "../../src/operations/index.ts";
import { walkEverywhere } from "../../src/sync/walk-everywhere.ts";
import { aTruck } from "../support/builders.ts";
import { createNotingCaller } from "../support/noting-caller.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

describeOnEveryTarget("a walk through a list of each location", (harness) => {
  it("reads trucks by one list of all, in the order of the lists of each location", async () => {
    for (const name of ["North", "South"]) {
      const { id } = await harness.ok("locations.create", { as: "Admin", body: { name } });
      for (const location_id of [id, harness.acme.locationId])
        await harness.ok("trucks.create", { params: { location_id }, body: aTruck() });
    }
    const { called, caller } = createNotingCaller(harness);
    const walked: JsonObject[] = [];
    const request = { params: {}, query: { page_limit: "2" }, version: newestVersion };
    for await (const page of walkEverywhere(caller, await loadOperation("trucks.list"), request))
      walked.push(...page.records);
    expect(new Set(called)).toEqual(new Set(["trucks.all"]));
    const { results: locations } = await harness.ok("locations.list");
    const each: JsonObject[] = [];
    for (const { id: location_id } of locations) {
      const { results } = await harness.ok("trucks.list", { params: { location_id } });
      each.push(...results);
    }
    expect(walked).toHaveLength(6);
    expect(walked).toEqual(each);
  });
});
