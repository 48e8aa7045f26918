import { expect, it } from "vitest";
import { LeftWebhooks } from "../../src/webhooks/left-webhooks.ts";
import { startWorker } from "../../src/webhooks/worker.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

const seconds = 1000;

it("are kept away from for 15 s, and then tried once a minute, while no worker that may is seen", () => {
  let nowMs = 5 * seconds;
  let seenMs = Number.NEGATIVE_INFINITY;
  const left = new LeftWebhooks(
    (sinceMs) => seenMs >= sinceMs,
    () => nowMs,
  );
  expect([left.has(1), left.leave(1), left.has(1), left.has(2)]).toEqual([false, true, true, false]);
  nowMs += 15 * seconds;
  expect([left.has(1), left.leave(1)]).toEqual([false, false]);
  nowMs += 45 * seconds;
  expect([left.leave(1), left.has(1)]).toEqual([true, true]);
  seenMs = nowMs + 1 * seconds;
  nowMs += 20 * seconds;
  expect([left.has(1), left.leave(1), left.has(1)]).toEqual([false, true, true]);
});

it("are forgotten when there are too many of them, so that memory is bounded", () => {
  const left = new LeftWebhooks(() => false);
  for (let hookId = 1; hookId <= 10_001; hookId += 1) left.leave(hookId);
  expect([left.has(1), left.has(2), left.has(10_001)]).toEqual([false, true, true]);
});

describeInProcess("a worker that may not reach private addresses (OP-193)", (like) => {
  it("leaves them to one that may, without using up an attempt or claiming them again and again", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url);
    // The same store as a process sees it that was not allowed to.
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
      await new Promise((resolve) => setTimeout(resolve, 2_500));
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
