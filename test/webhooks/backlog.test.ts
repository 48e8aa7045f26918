import { expect, it, vi } from "vitest";
import type { Bed } from "../support/bed.ts";
import { createHook, createTruck, startTestWorker } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshBed } from "../support/targets.ts";

const waiting = 20_000;

/** Has so many events of one truck wait behind its first one. */
function addBacklog(bed: Bed): void {
  bed.store.execute(`with recursive counted (n) as (select 1 union all select n + 1 from counted where n < ${waiting})
    insert into deliveries (tenant_id, action, attempt, created_on, event_id, hook_id, kind, next_attempt_on,
      record_id, status, uuid)
    select tenant_id, action, 0, created_on, event_id, hook_id, kind, null, record_id, 'pending', 'uuid-' || n
    from deliveries, counted order by n`);
}

const count = (bed: Bed, where: string) =>
  Number(bed.store.query(`select count(*) as total from deliveries where ${where}`)[0]?.total);

const due = (bed: Bed) => count(bed, "status = 'pending' and next_attempt_on is not null");

describeInProcess("a record with 20,000 pending events", (like) => {
  it("has one that is due, so that a claim reads no other, and they are sent one after the other", async () => {
    const bed = await freshBed(like);
    const { url, deliveries } = await startReceiver();
    await createHook(bed, url, { events: ["Truck"] });
    const truck = await createTruck(bed);
    addBacklog(bed);
    await bed.ok("trucks.update", { params: truck, body: { weight: 1 } });
    expect([due(bed), count(bed, "status = 'pending'")]).toEqual([1, waiting + 2]);

    const worker = startTestWorker(bed);
    await vi.waitFor(() => expect(deliveries.length).toBeGreaterThan(20), { timeout: 30_000 });
    await worker.stop(10_000);
    expect(worker.faults).toEqual([]);
    expect(due(bed)).toBe(1);
    const sent = worker.lines.map(({ delivery }) => delivery);
    expect(sent.slice(1)).toEqual(Array.from({ length: sent.length - 1 }, (_, index) => `uuid-${index + 1}`));
  }, 60_000);

  it("has one that is due as well when its webhook is brought back with all that it has missed", async () => {
    const bed = await freshBed(like);
    const hook_id = await createHook(bed, "http://127.0.0.1:9/", { events: ["Truck"] });
    await createTruck(bed);
    addBacklog(bed);
    await bed.ok("hooks.delete", { params: { hook_id } });
    expect(count(bed, "status = 'pending'")).toBe(0);
    await bed.ok("hooks.enable", { params: { hook_id }, body: { backlog: "send" } });
    expect([due(bed), count(bed, "status = 'pending'")]).toEqual([1, waiting + 1]);
  }, 60_000);
});
