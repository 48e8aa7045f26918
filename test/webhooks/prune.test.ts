import { expect, it } from "vitest";
import { pruneOutbox } from "../../src/webhooks/prune.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshBed } from "../support/targets.ts";

const dayMs = 24 * 60 * 60 * 1000;

describeInProcess("pruning", (like) => {
  it("forgets events, deliveries and attempts after 30 days, and not a moment earlier", async () => {
    const bed = await freshBed(like);
    const { url } = await startReceiver();
    await createHook(bed, url);
    await createTruck(bed);
    for (let number = 0; number < 3; number += 1) await createJob(bed);
    const worker = startTestWorker(bed);
    await worker.drain();
    await worker.stop(0);
    const counts = () => {
      const { deliveries, delivery_attempts: attempts, events } = bed.store.rowCounts();
      return { deliveries, attempts, events };
    };
    const before = counts();
    expect(before).toMatchObject({ deliveries: 3, attempts: 3 });
    const trail = bed.store.rowCounts().audit;
    bed.clock.advance(30 * dayMs);
    await pruneOutbox(bed.service);
    expect(counts()).toEqual(before);
    bed.clock.advance(1);
    await createJob(bed);
    await pruneOutbox(bed.service);
    expect(counts()).toEqual({ deliveries: 1, attempts: 0, events: 1 });
    expect(bed.store.rowCounts().audit).toBe(Number(trail) + 1);
  });

  it("never touches what is pending, however old, nor what was sent once more since", async () => {
    const bed = await freshBed(like);
    const hook_id = await createHook(bed, (await startReceiver()).url);
    const pending = await createJob(bed);
    const replayed = await createJob(bed);
    const [first, second] = bed.store.rows("deliveries");
    bed.store.update("deliveries", Number(second?.id), {
      status: "failed",
      finished_on: bed.clock.now(),
      next_attempt_on: null,
    });
    bed.clock.advance(29 * dayMs);
    await bed.ok("deliveries.replay", { params: { hook_id }, body: { delivery_id: second?.uuid } });
    bed.store.update("deliveries", Number(first?.id), { next_attempt_on: "2027-11-21T12:00:00.000000" });
    await startTestWorker(bed).drain();
    bed.clock.advance(20 * dayMs);
    await pruneOutbox(bed.service);
    expect(bed.store.rows("events").map(({ record_id }) => record_id)).toEqual([pending, replayed]);
    expect(bed.store.rows("deliveries").map(({ status }) => status)).toEqual([
      "pending",
      "failed",
      "delivered",
    ]);
  });
});
