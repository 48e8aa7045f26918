import { expect, it } from "vitest";
import { createHook, createTruck } from "../../support/delivering.ts";
import { startReceiver, unusedUrl } from "../../support/receiver.ts";
import { describeOnEveryTarget } from "../../support/targets.ts";

describeOnEveryTarget("hooks.trigger and events.preview", (harness) => {
  it("return the event that a change of a record would send, and store nothing", async () => {
    const receiver = await startReceiver();
    const hookId = await createHook(harness, receiver.url);
    const { truck_id: truckId } = await createTruck(harness);
    const before = harness.store.contents();
    const query = { type: "Truck", record_id: truckId };
    const event = await harness.ok("events.preview", { query });
    expect(event).toMatchObject({
      action: "updated",
      data: { id: truckId },
      record_id: truckId,
      type: "Truck",
    });
    const body = { ...query, action: "created" };
    const sent = await harness.ok("hooks.trigger", { params: { hook_id: hookId }, body });
    expect(sent).toMatchObject({
      action: "created",
      http_status: 200,
      record_id: truckId,
      url: receiver.url,
    });
    expect(JSON.parse(receiver.deliveries[0]?.body ?? "")).toMatchObject({
      data: event.data,
      id: sent.event_id,
    });
    expect(harness.store.contents()).toEqual(before);
  });

  it("explain a connection that is refused", async () => {
    const hookId = await createHook(harness, await unusedUrl());
    const { truck_id: record_id } = await createTruck(harness);
    const body = { type: "Truck", record_id };
    const sent = await harness.ok("hooks.trigger", { params: { hook_id: hookId }, body });
    expect(sent.http_status).toBe(-1);
    expect(sent.message).toContain("refused");
  });

  it("refuse an action that the kind does not have, and a CustomerLocation without its location", async () => {
    const hookId = await createHook(harness, await unusedUrl());
    const wrong = [
      [{ type: "Truck", record_id: 1, action: "completed" }, "invalid_choice", "action"],
      [{ type: "CustomerLocation", record_id: 1 }, "missing_value", "location_id"],
    ] as const;
    for (const [told, code, field] of wrong) {
      const previewed = await harness.refused("events.preview", { query: told });
      expect(previewed).toMatchObject({ code, field });
      const triggered = await harness.refused("hooks.trigger", { params: { hook_id: hookId }, body: told });
      expect(triggered).toMatchObject({ code, field: `TriggerWebhookModel.${field}` });
    }
  });

  it("refuse records of other tenants, deactivated webhooks, and callers who are bound to a location", async () => {
    const hookId = await createHook(harness, await unusedUrl());
    const foreign = { type: "Customer", record_id: harness.globex.customerId };
    expect((await harness.refused("events.preview", { query: foreign })).status).toBe(404);
    const params = { hook_id: hookId };
    expect((await harness.refused("hooks.trigger", { params, body: foreign })).status).toBe(404);
    const { truck_id: record_id } = await createTruck(harness);
    const body = { type: "Truck", record_id };
    const bound = await harness.addCaller({ roles: ["Dispatcher"], location_id: harness.acme.locationId });
    expect((await harness.refused("events.preview", { as: bound, query: body })).status).toBe(403);
    expect((await harness.refused("hooks.trigger", { as: bound, params, body })).status).toBe(403);
    await harness.ok("hooks.delete", { params });
    expect((await harness.refused("hooks.trigger", { params, body })).status).toBe(409);
  });
});
