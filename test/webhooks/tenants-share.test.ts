import { expect, it } from "vitest";
import { aHook, aTruck } from "../support/builders.ts";
import { createHook, createTruck, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

const hooks = 90;

describeInProcess("a tenant with many slow webhooks", (like) => {
  it("leaves capacity to another tenant, whose delivery does not wait for all others", async () => {
    const harness = await freshHarness(like);
    const { caller, locationId } = harness.globex;
    const { url, deliveries } = await startReceiver((response) => {
      setTimeout(() => response.writeHead(200).end(), 900);
    });
    for (let number = 0; number < hooks; number += 1) await createHook(harness, url, { events: ["Truck"] });
    const own = { as: caller, body: aHook({ url, events: ["Truck"] }) };
    await harness.ok("hooks.create", own);
    for (let number = 0; number < 3; number += 1) await createTruck(harness);
    await harness.ok("trucks.create", { as: caller, params: { location_id: locationId }, body: aTruck() });
    startTestWorker(harness);
    const tenantId = String(harness.globex.tenantId);
    const place = () => deliveries.findIndex(({ headers }) => headers["x-tenant-id"] === tenantId);
    await eventually(() => expect(place()).toBeGreaterThanOrEqual(0));
    // The other tenant's webhook is the newest, but the worker does not try all the others before it.
    expect(place()).toBeLessThan(hooks);
  });
});
