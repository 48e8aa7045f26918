import { expect, it } from "vitest";
import { findAffected } from "../../src/cli/commands/versions/versions-check.ts";
import { type ApiVersion, newestVersion } from "../../src/models/api-versions.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { Harness } from "../support/harness.ts";
import { describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";

const inTenant = (tenantId: number) => ({ tenantId, rowScopes: wholeTenant });

const known = async ({ acme, service }: Harness) => {
  await service.usage.write(service.store);
  return service.store.read(inTenant(acme.tenantId), (store) => store.usage.all());
};

const affected = async ({ acme, clock, service }: Harness, to: ApiVersion) => {
  await service.usage.write(service.store);
  return service.store.read(inTenant(acme.tenantId), (store) => findAffected(store, to, clock.now()));
};

describeOverHttpOnEveryDatabase("the record of used versions", (shared) => {
  it("is one entry for a token, an operation and a version, with the last time", async () => {
    const harness = await freshHarness(shared);
    await harness.ok("jobs.list", { version: "2019/02/08" });
    await harness.ok("jobs.list", { version: newestVersion });
    await harness.service.usage.write(harness.service.store);
    harness.clock.advance(1000);
    await harness.ok("jobs.list", { version: "2019/02/08" });
    const uses = await known(harness);
    expect(uses).toMatchObject([
      { api_version: "2019/02/08", operation: "jobs.list", used_on: harness.clock.now() },
      { api_version: newestVersion, operation: "jobs.list" },
    ]);
    expect(Object.keys(uses[0] ?? {}).sort()).toEqual(["api_version", "operation", "token_id", "used_on"]);
  });

  it("keeps the later time when another server has stored one", async () => {
    const harness = await freshHarness(shared);
    const use = { api_version: newestVersion, operation: "jobs.list", token_id: 1 };
    const { store } = harness.service;
    for (const used_on of ["2026-03-01T00:00:00.000000", "2026-02-01T00:00:00.000000"])
      await store.write(inTenant(harness.acme.tenantId), (tenant) =>
        tenant.usage.keep([{ ...use, used_on }]),
      );
    expect(await known(harness)).toEqual([{ ...use, used_on: "2026-03-01T00:00:00.000000" }]);
  });

  it("retries next time if the store refuses it", async () => {
    const harness = await freshHarness(shared);
    const { store, usage } = harness.service;
    await harness.ok("jobs.list", { version: "2019/02/08" });
    const away = { ...store, write: () => Promise.reject(new Error("away")) };
    await expect(usage.write(away)).rejects.toThrow("away");
    await harness.ok("jobs.list", { version: newestVersion });
    expect(await known(harness)).toMatchObject([
      { api_version: "2019/02/08" },
      { api_version: newestVersion },
    ]);
  });

  it("contains no callers that are refused before they are identified, or that are in another tenant", async () => {
    const harness = await freshHarness(shared);
    await harness.send({ path: "/jobs" });
    await harness.send({
      path: "/jobs",
      headers: { ...harness.headersOf("Dispatcher"), "x-tenant-id": `${harness.globex.tenantId}` },
    });
    expect(await known(harness)).toEqual([]);
  });
});

describeOverHttpOnEveryDatabase("the check of a version", (shared) => {
  it("lists the affected tokens and webhooks, and the change", async () => {
    const harness = await freshHarness(shared);
    await harness.ok("jobs.list", { version: "2021/08/02" });
    await harness.ok("trucks.list", {
      params: { location_id: harness.acme.locationId },
      version: "2021/08/02",
    });
    await harness.ok("hooks.create", {
      as: "Admin",
      body: { api_version: "2021/08/02", events: ["Job", "Truck"], url: "https://example.com/hook" },
    });
    const found = await affected(harness, newestVersion);
    expect(found).toMatchObject([
      { introduced: "2021/11/04", uses: "jobs.list", version: "2021/08/02" },
      { introduced: "2021/11/04", last_used_on: null, uses: "Job", version: "2021/08/02" },
    ]);
    expect(found[0]?.who).toMatch(/^token \d+ \(/);
    expect(found[1]?.who).toMatch(/^webhook \d+ \(https:\/\/example\.com\/hook\)$/);
    expect(await affected(harness, "2021/08/02")).toEqual([]);
  });

  it("omits revoked and expired tokens, and deactivated webhooks", async () => {
    const harness = await freshHarness(shared);
    const caller = await harness.addCaller({ roles: ["Dispatcher"] }, { expires_on: "2100-01-01" });
    await harness.ok("jobs.list", { as: caller, version: "2019/02/08" });
    expect(await affected(harness, newestVersion)).not.toEqual([]);
    harness.clock.advance(80 * 366 * 24 * 3600 * 1000);
    expect(await affected(harness, newestVersion)).toEqual([]);
  });
});
