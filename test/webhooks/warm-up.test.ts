import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Service } from "../../src/core/service.ts";
import { warmUpWhenQuiet } from "../../src/webhooks/worker.ts";
import { createHook } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import { describeOverHttp, freshHarness } from "../support/targets.ts";

describeOverHttp("what sends to webhooks", (like) => {
  it("is loaded after the start where the store has webhooks, and not where it has none", async () => {
    const harness = await freshHarness(like);
    harness.store.execute("update hooks set deleted_at = created_on");
    const faults: unknown[] = [];
    const start = () => {
      const loaded: Service["sender"][] = [];
      const sender = () => {
        loaded.push(sender);
        return harness.service.sender();
      };
      const end = warmUpWhenQuiet({ sender, store: harness.service.store }, (fault) => faults.push(fault));
      return { loaded, end };
    };
    const without = start();
    await sleep(4_000);
    without.end();
    await createHook(harness, "http://127.0.0.1:9/");
    const having = start();
    await eventually(() => expect(having.loaded).toHaveLength(1));
    having.end();
    expect([without.loaded, faults]).toEqual([[], []]);
  });
});
