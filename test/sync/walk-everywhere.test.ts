import { expect, it } from "vitest";
import { newestVersion } from "../../src/models/api-versions.ts";
import { loadOperation, type OperationName } from "../../src/operations/index.ts";
import { walkEverywhere } from "../../src/sync/walk-everywhere.ts";
import { aTruck } from "../support/builders.ts";
import { createLackingCaller } from "../support/lacking-caller.ts";
import { describeOnEveryTarget } from "../support/targets.ts";

describeOnEveryTarget("a walk through a list of each location", (harness) => {
  it("gives the same texts by one list of all and by those of each, on servers that have no other (OP-408)", async () => {
    for (const name of ["North", "South"]) {
      const { id } = await harness.ok("locations.create", { as: "Admin", body: { name } });
      for (const location_id of [id, harness.acme.locationId])
        await harness.ok("trucks.create", { params: { location_id }, body: aTruck() });
    }
    const walk = async (lacks: OperationName | null) => {
      const { called, caller } = createLackingCaller(harness, lacks);
      const texts: string[] = [];
      const request = { params: {}, query: { page_limit: "2" }, version: newestVersion };
      for await (const page of walkEverywhere(caller, await loadOperation("trucks.list"), request))
        texts.push(...page.texts);
      return { called: new Set(called), texts };
    };
    const [now, older] = [await walk(null), await walk("trucks.all")];
    expect(now.texts).toHaveLength(6);
    expect(now.texts).toEqual(older.texts);
    expect([...now.called]).toEqual(["trucks.all"]);
    expect([...older.called]).toEqual(["trucks.all", "locations.list", "trucks.list"]);
  });
});
