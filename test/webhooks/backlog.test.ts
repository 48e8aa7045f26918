import { expect, it } from "vitest";
import { createHook, createTruck, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import type { Harness } from "../support/harness.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

const waiting = 20_000;

function addBacklog(harness: Harness): void {
  harness.store.execute(`with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${waiting})
    insert into deliveries (tenant_id, action, attempt, created_on, event_id, hook_id, kind, next_attempt_on,
      record_id, status, uuid)
    select tenant_id, action, 0, created_on, event_id, hook_id, kind, null, record_id, 'pending', 'uuid-' || n
    from deliveries, counted order by n`);
}

const count = (harness: Harness, where: string) =>
  Number(harness.store.query(`select count(*) as total from deliveries where ${where}`)[0]?.total);

const due = (harness: Harness) => count(harness, "status = 'pending' and next_attempt_on is not null");

describeInProcess("a record with 20,000 pending events", (like) => {
  it("has one due event, so that a claim reads no other, and events are sent one after the other", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url, { events: ["Truck"] });
    const truck = await createTruck(harness);
    addBacklog(harness);
    await harness.ok("trucks.update", { params: truck, body: { weight: 1 } });
    expect([due(harness), count(harness, "status = 'pending'")]).toEqual([1, waiting + 2]);

    const worker = startTestWorker(harness);
    await eventually(() => expect(deliveries.length).toBeGreaterThan(20));
    await worker.stop(10_000);
    expect(worker.faults).toEqual([]);
    expect(due(harness)).toBe(1);
    const sent = worker.lines.map(({ delivery_id: delivery }) => delivery);
    expect(sent.slice(1)).toEqual(Array.from({ length: sent.length - 1 }, (_, index) => `uuid-${index + 1}`));
  });

  it("has one due event too when its webhook is enabled with the missed events", async () => {
    const harness = await freshHarness(like);
    const hook_id = await createHook(harness, "http://127.0.0.1:9/", { events: ["Truck"] });
    await createTruck(harness);
    addBacklog(harness);
    await harness.ok("hooks.delete", { params: { hook_id } });
    expect(count(harness, "status = 'pending'")).toBe(0);
    await harness.ok("hooks.enable", { params: { hook_id }, body: { backlog: "send" } });
    expect([due(harness), count(harness, "status = 'pending'")]).toEqual([1, waiting + 1]);
  });
});
