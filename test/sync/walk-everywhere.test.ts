import { expect, it } from "vitest";
import type { JsonObject } from "../../src/models/json.ts";
import { walkEverywhere } from "../../src/sync/walk-list.ts";
import { aTruck } from "../support/builders.ts";
import { clientOfToken } from "../support/local-client.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

describeOnEveryTarget("a walk through a list of each location", (harness) => {
  it("reads trucks through one list of all locations, in the order of the lists of each location", async () => {
    for (const name of ["North", "South"]) {
      const { id } = await harness.ok("locations.create", { as: "Admin", body: { name } });
      for (const location_id of [id, harness.acme.locationId])
        await harness.ok("trucks.create", { params: { location_id }, body: aTruck() });
    }
    const called: string[] = [];
    const { Dispatcher } = harness.acme.callers;
    const client = await clientOfToken(harness.service, Dispatcher, (name) => called.push(name));
    const walked: JsonObject[] = [];
    for await (const page of walkEverywhere(client, "trucks.list", { query: { page_limit: 2 } }))
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
