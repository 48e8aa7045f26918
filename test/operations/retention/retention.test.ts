import { expect, it } from "vitest";
import { failure } from "../../../src/errors/errors.ts";
import { retentionKinds } from "../../../src/models/retention.ts";
import { pruneStore } from "../../../src/webhooks/prune.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../../support/delivering.ts";
import type { Harness } from "../../support/harness.ts";
import { startReceiver } from "../../support/receiver.ts";
import { describeInProcess, describeOnEveryTarget, freshHarness } from "../../support/targets.ts";

const dayMs = 86_400_000;

describeOnEveryTarget("retention", (harness) => {
  it("sets and returns its rules, audits the users who set them, and refuses invalid ages", async () => {
    const set = (body: object, as: "Admin" | "Dispatcher" = "Admin") =>
      harness.call("retention.update", { as, body });
    const shown = async () =>
      Object.fromEntries(
        (await harness.ok("retention.show", { as: "Admin" })).map(({ is_default, kept_for, kind }) => [
          kind,
          is_default ? `${kept_for} by default` : kept_for,
        ]),
      );
    expect(Object.keys(await shown())).toEqual(retentionKinds);
    expect(await shown()).toMatchObject({ audit: "forever by default", events: "30d by default" });
    expect((await set({ audit: "forever", events: "1s", gps: "400d" })).status).toBe(200);
    expect(await shown()).toMatchObject({
      audit: "forever",
      chats: "forever by default",
      events: "1s",
      gps: "400d",
    });
    const last = await harness.ok("audit.last", { as: "Admin" });
    expect(last).toMatchObject({ operation: "retention.update", record_type: "Retention" });
    expect(last.after).toEqual({ audit: "forever", events: "1s", gps: "400d" });
    expect((await set({ events: "default" })).status).toBe(200);
    expect(await shown()).toMatchObject({ events: "30d by default", gps: "400d" });
    for (const wrong of ["0s", "500ms", "36501d", "30", "always", ""])
      expect([wrong, (await set({ events: wrong })).status]).toEqual([wrong, 400]);
    expect((await set({})).status).toBe(400);
    expect((await set({ events: "1s" }, "Dispatcher")).status).toBe(403);
    const bound = await harness.addCaller({ location_id: harness.acme.locationId, roles: ["Admin"] });
    expect((await harness.call("retention.show", { as: bound })).status).toBe(403);
  });
});

describeInProcess("deleting the old records of a tenant", (like) => {
  const rule = (harness: Harness, body: object) => harness.ok("retention.update", { as: "Admin", body });
  const apply = (harness: Harness) =>
    harness.ok("retention.apply", { as: "Admin", body: { kinds: retentionKinds } });

  it("follows the rule of its own kind, and keeps the last position of each truck", async () => {
    const harness = await freshHarness(like);
    const { driverId, locationId, tenantId, truckId } = harness.acme;
    const place = (truck_id: number | null, latitude: number | null = 38.9, measured_on?: string) =>
      harness.store.insert("gps_events", {
        created_on: harness.clock.now(),
        driver_id: driverId,
        latitude,
        location_id: locationId,
        longitude: -77,
        measured_on: measured_on ?? harness.clock.now(),
        tenant_id: tenantId,
        truck_id,
      });
    const chat = () =>
      harness.ok("chats.send", {
        params: { driver_id: driverId },
        body: { receiver: { id: driverId, type: "driver" }, text: "Call me" },
      });
    const ids = () => harness.store.rows("gps_events").map(({ id }) => id);
    const [, last] = [place(truckId), place(truckId), place(null)];
    // Neither a late position nor one without coordinates is the truck's last position.
    place(truckId, 38.9, "2026-01-01T00:00:00.000000");
    place(truckId, null);
    await chat();
    harness.clock.advance(10 * dayMs);
    const fresh = place(harness.acme.haulerTruckId);
    await chat();
    await rule(harness, { chats: "9d", gps: "9d" });
    const shown = await harness.ok("retention.show", { as: "Admin" });
    expect(shown.map(({ due, kind }) => `${kind} ${due}`)).toEqual([
      "audit 0",
      "chats 1",
      "deliveries 0",
      "events 0",
      "gps 4",
    ]);
    expect(await apply(harness)).toMatchObject({ audit: 0, chats: 1, events: 0, gps: 4, is_done: true });
    expect(ids()).toEqual([last, fresh]);
    expect(harness.store.rows("chat_messages")).toHaveLength(1);
    expect(await apply(harness)).toMatchObject({ chats: 0, gps: 0, is_done: true });
    const [, chats] = await harness.ok("retention.show", { as: "Admin" });
    expect(chats).toMatchObject({ due: 0, removed: 1, applied_on: harness.clock.now() });
  });

  it("makes them answer like records that never existed", async () => {
    const harness = await freshHarness(like);
    const hook_id = await createHook(harness, (await startReceiver()).url);
    await createTruck(harness);
    await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    await worker.stop(0);
    const { id: audit_id } = await harness.ok("audit.last", {});
    const { results: events } = await harness.ok("events.list", {});
    const { results: deliveries } = await harness.ok("deliveries.list", { params: { hook_id } });
    const delivery_id = deliveries[0]?.delivery_id ?? "";
    await rule(harness, { audit: "1s", events: "1s" });
    harness.clock.advance(2000);
    await pruneStore(harness.service);
    expect(harness.store.rowCounts()).toMatchObject({ deliveries: 0, delivery_attempts: 0 });
    expect((await harness.ok("events.list", {})).results).toEqual([]);
    const after = await harness.call("events.list", { query: { after: events[0]?.id ?? "" } });
    expect([after.status, JSON.stringify(after.body)]).toEqual([
      400,
      expect.stringContaining("events for 1s"),
    ]);
    const gone = [
      await harness.call("deliveries.get", { params: { delivery_id, hook_id } }),
      await harness.call("deliveries.replay", { params: { hook_id }, body: { delivery_id } }),
      await harness.call("audit.undo", { params: { audit_id } }),
      await harness.call("audit.last", {}),
    ];
    expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    await createJob(harness);
    const [made] = (await harness.ok("events.list", {})).results;
    expect(made?.id).not.toBe(events[0]?.id);
  });

  it("of one tenant does not delay other tenants, and skips an unhealthy store", async () => {
    const harness = await freshHarness(like);
    const { tenantId } = harness.acme;
    /** Audit entries of requests with seven entries each. */
    const entry = (_: unknown, index: number) => ({
      action: "updated",
      created_on: harness.clock.now(),
      operation: "x",
      record_id: 1,
      record_type: "Job",
      request_id: `request-${Math.floor(index / 7)}`,
      tenant_id: tenantId,
      user_id: 1,
    });
    const before = harness.store.rowCounts().audit ?? 0;
    harness.store.insertAll("audit", Array.from({ length: 1204 }, entry));
    await rule(harness, { audit: "1s" });
    harness.clock.advance(2000);
    const { store } = harness.service;
    const database = {
      ...store.database,
      fault: () => ({ check: "write" as const, error: failure("store_unavailable", "full") }),
    };
    await pruneStore({ ...harness.service, store: { ...store, database } });
    expect(harness.store.rowCounts().audit).toBe(before + 1205);
    const firstOnly = { calls: 0 };
    await pruneStore(harness.service, () => firstOnly.calls++ >= 1);
    // The first 500 entries are gone, and the rest of the last request among them.
    const rest = harness.store
      .rows("audit")
      .filter(({ request_id }) => `${request_id}`.startsWith("request-"));
    const [first] = rest;
    expect(rest.filter(({ request_id }) => request_id === first?.request_id)).toHaveLength(7);
    expect(1204 - rest.length).toBeLessThan(500 + 7);
    await pruneStore(harness.service);
    const left = harness.store.rows("audit").filter(({ tenant_id }) => tenant_id === tenantId);
    expect(left).toEqual([]);
  });
});
