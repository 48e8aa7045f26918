import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/client/client.ts";
import { openChanges } from "../../../src/cli/target/changes.ts";
import type { Target } from "../../../src/cli/target/target.ts";
import { aTruck } from "../../support/builders.ts";
import { listen } from "../../support/listen.ts";
import { describeOverHttp } from "../../support/targets.ts";

/** Nobody waits for that. */
const hourMs = 3_600_000;

/** The two parts of a target that a watcher uses. */
const serverAt = (url: string, headers: Record<string, string>) => {
  const client = createClient({
    url,
    token: headers["authorization"]?.replace("Bearer ", "") ?? null,
    tenant: headers["x-tenant-id"] ?? null,
  });
  return { client, store: null } as unknown as Target;
};

describeOverHttp("watching a server", (harness) => {
  it("looks when the stream begins and when somebody has changed something, not when a time is over", async () => {
    const changes = await openChanges(serverAt(harness.origin, harness.headersOf("Dispatcher")), hourMs);
    onTestFinished(() => changes.end());
    await changes.wait(hourMs);
    expect(changes.isDue(10_000, 5000)).toBe(false);
    const waiting = changes.wait(5);
    const params = { location_id: harness.acme.locationId };
    await harness.ok("trucks.create", { params, body: aTruck() });
    await waiting;
    await harness.ok("trucks.create", { params, body: aTruck() });
    await expect.poll(() => changes.isDue(1000, hourMs)).toBe(true);
    expect(changes.isDue(10_000, 5000)).toBe(false);
  });

  it("looks every so often where the server is older and has no stream", async () => {
    const asked: (string | undefined)[] = [];
    const address = await listen(({ url }, response) => {
      asked.push(url);
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    });
    const changes = await openChanges(serverAt(address, {}), hourMs);
    onTestFinished(() => changes.end());
    await expect.poll(() => asked).toEqual(["/stream"]);
    await changes.wait(1);
    await changes.wait(1);
    expect(changes.isDue(5000, 5000)).toBe(true);
    expect(asked).toEqual(["/stream"]);
  });
});
