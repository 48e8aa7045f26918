import { expect, it, onTestFinished } from "vitest";
import { openChanges } from "../../../src/cli/target/changes.ts";
import { createClient } from "../../../src/client/client.ts";
import { aTruck } from "../../support/builders.ts";
import { clientOfToken } from "../../support/local-client.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

/** No test runs long enough to reach the next poll. */
const hourMs = 3_600_000;

describeOnEveryTarget("watching a target", (harness) => {
  it("reads again when the stream begins and after each change", async () => {
    const { Dispatcher } = harness.acme.callers;
    const client =
      harness.transport.name === "HTTP"
        ? createClient({ tenant: Dispatcher.tenantId, token: Dispatcher.token, url: harness.origin })
        : await clientOfToken(harness.service, Dispatcher);
    const changes = openChanges({ client }, { restMs: hourMs });
    onTestFinished(() => changes.end());
    const params = { location_id: harness.acme.locationId };
    const change = () => harness.ok("trucks.create", { params, body: aTruck() });
    await changes.wait();
    const waiting = changes.wait();
    await change();
    await waiting;
    expect(changes.isDue(10_000)).toBe(false);
    await change();
    await expect.poll(() => changes.isDue(1000)).toBe(true);
    expect(changes.isDue(10_000)).toBe(false);
  });
});
