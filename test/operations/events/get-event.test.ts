import { expect, it } from "vitest";
import { apiVersions } from "../../../src/models/api-versions.ts";
import { aTruck } from "../../support/builders.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("events.get", (harness) => {
  it("returns an event as the log stores it, at every version, to callers who may read the log", async () => {
    const params = { location_id: harness.acme.locationId };
    const { id } = await harness.ok("trucks.create", { params, body: aTruck() });
    const query = { record: `Truck:${id}` };
    const [event] = (await harness.ok("events.list", { query })).results;
    const ofEvent = { event_id: String(event?.id).toUpperCase() };
    for (const version of apiVersions) {
      const listed = (await harness.ok("events.list", { query, version })).results;
      expect([await harness.ok("events.get", { params: ofEvent, version })]).toEqual(listed);
    }
    const bound = await harness.addCaller({ roles: ["Dispatcher"], location_id: params.location_id });
    for (const as of [bound, harness.globex.caller])
      expect(await harness.refused("events.get", { as, params: ofEvent })).toMatchObject({ status: 404 });
  });
});
