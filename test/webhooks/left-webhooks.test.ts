import { expect, it } from "vitest";
import { startWorker } from "../../src/webhooks/worker.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

describeInProcess("a worker that may not reach private addresses", (like) => {
  it("leaves them to another worker that may, without using up an attempt or claiming them repeatedly", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url);
    // The second process uses the same store without the permission.
    const sends: string[] = [];
    const guardedSender = {
      send: async (request: { url: string }) => {
        sends.push(request.url);
        return { kind: "failed", reason: "refused_address", message: "refused", durationMs: 0 } as const;
      },
      close: async () => undefined,
    };
    const guarded = startWorker(
      {
        ...harness.service,
        policy: { ...harness.service.policy, allowsPrivateHooks: false },
        sender: async () => guardedSender,
      },
      { log: { attempt: () => undefined, fault: () => undefined } },
    );
    try {
      for (let number = 0; number < 3; number += 1) await createJob(harness);
      await guarded.drain();
      // Each hint triggers a poll.
      for (let looks = 0; looks < 5; looks += 1) {
        harness.service.store.database.hints.give("deliveries");
        await guarded.drain();
      }
      expect(sends).toHaveLength(1);
      expect(harness.store.rows("deliveries")).toMatchObject(
        Array.from({ length: 3 }, () => ({ attempt: 0, leased_by: null, status: "pending" })),
      );
      const open = startTestWorker(harness);
      await eventually(() => expect(deliveries).toHaveLength(3));
      await open.drain();
      const statuses = harness.store.rows("deliveries").map(({ attempt, status }) => `${attempt} ${status}`);
      expect(statuses).toEqual(["1 delivered", "1 delivered", "1 delivered"]);
    } finally {
      await guarded.stop(0);
    }
  });
});
