import { expect, it, vi } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import type { Harness } from "../support/harness.ts";
import { onceNoticed } from "../support/noticed.ts";
import { describeOverHttp, describeOverHttpOnEveryDatabase, freshHarness } from "../support/targets.ts";

const nameOf = async (harness: Harness, as: "Admin" | "Dispatcher" = "Dispatcher") => {
  const truck = await harness.ok("trucks.get", { as, params: truckOf(harness) });
  return (truck as { name: string }).name;
};

const truckOf = ({ acme }: Harness) => ({ location_id: acme.locationId, truck_id: acme.truckId });

const get = (harness: Harness, headers: Record<string, string> = {}, method = "GET") =>
  harness.send({
    method,
    path: `/locations/${harness.acme.locationId}/trucks/${harness.acme.truckId}`,
    headers: { ...harness.headersOf("Dispatcher"), ...headers },
  });

describeOverHttpOnEveryDatabase("a cached answer", (shared) => {
  it("is rebuilt after a change through the same server", async () => {
    const harness = await freshHarness(shared);
    await nameOf(harness);
    await harness.ok("trucks.update", { params: truckOf(harness), body: { name: "Renamed" } });
    expect(await nameOf(harness)).toBe("Renamed");
  });

  it("is rebuilt after a change by another process", async () => {
    const harness = await freshHarness(shared);
    await nameOf(harness);
    const other = openService({ data: harness.store.data });
    try {
      await other.store.write({ tenantId: harness.acme.tenantId, rowScopes: wholeTenant }, (tenant) =>
        tenant.trucks.update(harness.acme.truckId, { name: "Elsewhere" }),
      );
      expect(await nameOf(harness)).toBe("Elsewhere");
    } finally {
      await other.store.close();
    }
  });

  it("does not change after a dry run", async () => {
    const harness = await freshHarness(shared);
    const before = await nameOf(harness);
    await harness.ok("trucks.update", { params: truckOf(harness), body: { name: "Dry" }, dryRun: true });
    expect(await nameOf(harness)).toBe(before);
  });

  it("is not returned for a token that another process has revoked since", async () => {
    const harness = await freshHarness(shared);
    const caller = await harness.addCaller({ roles: ["Dispatcher"] });
    await harness.ok("trucks.get", { as: caller, params: truckOf(harness) });
    harness.store.update("tokens", tokenIdOf(caller.token), { revoked_on: "2020-01-01T00:00:00.000000" });
    const ask = () => harness.refused("trucks.get", { as: caller, params: truckOf(harness) });
    expect(await onceNoticed(harness, ask)).toMatchObject({ status: 401 });
  });

  it("is not returned to a user who has lost the role since", async () => {
    const harness = await freshHarness(shared);
    const caller = await harness.addCaller({ roles: ["Dispatcher"] });
    await harness.ok("hooks.list", { as: caller });
    harness.store.update("users", caller.user.id, { roles: '["Driver"]' });
    const ask = () => harness.refused("hooks.list", { as: caller });
    expect(await onceNoticed(harness, ask)).toMatchObject({ status: 403 });
  });

  it("is rebuilt each time if it contains its own request id", async () => {
    const harness = await freshHarness(shared);
    const query = { type: "Truck", record: String(harness.acme.truckId) };
    const asked = () => harness.call("events.preview", { as: "Admin", query });
    expect((await asked()).body).not.toEqual((await asked()).body);
  });
});

describeOverHttp("a cached answer of a file store", (shared) => {
  it("stays after changes of other tenants, and is rebuilt after a change of its own tenant", async () => {
    const harness = await freshHarness(shared);
    const readings = vi.spyOn(harness.service.store, "read");
    const readingsOf = async (ask: () => Promise<unknown>) => {
      const before = readings.mock.calls.length;
      await ask();
      return readings.mock.calls.length - before;
    };
    expect(await readingsOf(() => nameOf(harness))).toBe(1);
    const { globex } = harness;
    await harness.ok("trucks.create", {
      as: globex.caller,
      params: { location_id: globex.locationId },
      body: { name: "Theirs" },
    });
    expect(await readingsOf(() => nameOf(harness))).toBe(0);
    await harness.ok("trucks.create", {
      params: { location_id: harness.acme.locationId },
      body: { name: "Ours" },
    });
    expect(await readingsOf(() => nameOf(harness))).toBe(1);
  });
});

describeOverHttp("an entity tag", (harness) => {
  it("saves the bytes of an answer that the caller has", async () => {
    const first = await get(harness);
    const etag = first.headers.etag ?? "";
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    for (const header of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
      const again = await get(harness, { "if-none-match": header });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
      expect(again.headers.allow).toBe(first.headers.allow);
    }
    expect((await get(harness, { "if-none-match": '"other"' })).text).toBe(first.text);
    expect((await get(harness, {}, "HEAD")).headers.etag).toBe(etag);
  });

  it("differs after a change of the record, and returns to its old value when the change is undone", async () => {
    const { name } = JSON.parse((await get(harness)).text) as { name: string };
    const etag = (await get(harness)).headers.etag;
    await harness.ok("trucks.update", { params: truckOf(harness), body: { name: "Other" } });
    const changed = await get(harness, { "if-none-match": etag ?? "" });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
    await harness.ok("trucks.update", { params: truckOf(harness), body: { name } });
    expect((await get(harness)).headers.etag).toBe(etag);
  });
});

const tokenIdOf = (token: string) => Number(token.split(".")[1]);
