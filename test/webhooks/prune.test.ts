import { expect, it } from "vitest";
import { toEpochMs, toTimestamp } from "../../src/runtime/clock.ts";
import { pruneStore, toPruneMessage } from "../../src/webhooks/prune.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

const dayMs = 24 * 60 * 60 * 1000;

describeInProcess("pruning", (like) => {
  it("deletes events, deliveries and attempts after 30 days, and not earlier", async () => {
    const harness = await freshHarness(like);
    const { url } = await startReceiver();
    await createHook(harness, url);
    await createTruck(harness);
    for (let number = 0; number < 3; number += 1) await createJob(harness);
    const worker = startTestWorker(harness);
    await worker.drain();
    await worker.stop(0);
    const counts = () => {
      const { deliveries, delivery_attempts: attempts, events } = harness.store.rowCounts();
      return { deliveries, attempts, events };
    };
    const before = counts();
    expect(before).toMatchObject({ deliveries: 3, attempts: 3 });
    const trail = harness.store.rowCounts().audit;
    harness.clock.advance(30 * dayMs);
    expect(await pruneStore(harness.service)).toMatchObject({ deliveries: 0, events: 0, tenants: 0 });
    expect(counts()).toEqual(before);
    harness.clock.advance(1);
    await createJob(harness);
    const pruned = await pruneStore(harness.service);
    const nothing = { answers: 0, audit: 0, chats: 0, erasures: 0, gps: 0 };
    expect(pruned).toEqual({ ...nothing, deliveries: 3, events: before.events, tenants: 2 });
    expect(toPruneMessage(pruned)).toBe("pruned");
    expect(counts()).toEqual({ deliveries: 1, attempts: 0, events: 1 });
    expect(harness.store.rowCounts().audit).toBe(Number(trail) + 1);
  });

  it("keeps pending deliveries of any age, and deliveries that were replayed since", async () => {
    const harness = await freshHarness(like);
    const hook_id = await createHook(harness, (await startReceiver()).url);
    const pending = await createJob(harness);
    const replayed = await createJob(harness);
    const [first, second] = harness.store.rows("deliveries");
    harness.store.update("deliveries", Number(second?.id), {
      status: "failed",
      finished_on: harness.clock.now(),
      next_attempt_on: null,
    });
    harness.clock.advance(29 * dayMs);
    await harness.ok("deliveries.replay", { params: { hook_id }, body: { delivery_id: second?.uuid } });
    harness.store.update("deliveries", Number(first?.id), {
      next_attempt_on: toTimestamp(toEpochMs(harness.clock.now()) + dayMs),
    });
    const worker = startTestWorker(harness);
    await worker.drain();
    // The pending delivery is due now.
    await worker.stop(0);
    harness.clock.advance(20 * dayMs);
    await pruneStore(harness.service);
    expect(harness.store.rows("events").map(({ record_id }) => record_id)).toEqual([pending, replayed]);
    expect(harness.store.rows("deliveries").map(({ status }) => status)).toEqual([
      "pending",
      "failed",
      "delivered",
    ]);
  });
});
