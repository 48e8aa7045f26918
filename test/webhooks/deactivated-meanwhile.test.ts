import { expect, it } from "vitest";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { recordAttempts, type SentAttempt } from "../../src/webhooks/record-attempts.ts";
import { createHook, createJob, createTruck, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";

const seconds = 1000;

describeInProcess("deliveries that a worker has claimed", (like) => {
  it("are not sent after the receiver has answered 410, whatever their number", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver((response, number) =>
      response.writeHead(number <= 40 ? 200 : 410).end(),
    );
    const hook_id = await createHook(harness, url);
    for (let number = 0; number < 120; number += 1) await createJob(harness);
    await startTestWorker(harness).drain();
    expect(await harness.ok("hooks.get", { params: { hook_id } })).toMatchObject({
      deleted_at: expect.any(String),
    });
    // Up to four deliveries were on their way.
    expect(deliveries.length).toBeLessThanOrEqual(44);
  });

  it("are not sent after their webhook is deleted, and use its current URL", async () => {
    const harness = await freshHarness(like);
    const held: (() => void)[] = [];
    const old = await startReceiver((response, number) => {
      if (number <= 20) response.end();
      else held.push(() => response.end());
    });
    const hook_id = await createHook(harness, old.url);
    for (let number = 0; number < 60; number += 1) await createJob(harness);
    const worker = startTestWorker(harness);
    await eventually(() => expect(held).toHaveLength(4));
    const current = await startReceiver((response, number) => {
      if (number <= 3) response.end();
      else held.push(() => response.end());
    });
    await harness.ok("hooks.update", { params: { hook_id }, body: { url: current.url } });
    harness.clock.advance(2 * seconds);
    for (const end of held.splice(0)) end();
    await eventually(() => expect(held).toHaveLength(4));
    expect([old.deliveries.length, current.deliveries.length]).toEqual([24, 7]);
    await harness.ok("hooks.delete", { params: { hook_id } });
    harness.clock.advance(2 * seconds);
    for (const end of held.splice(0)) end();
    await worker.drain();
    expect([old.deliveries.length, current.deliveries.length]).toEqual([24, 7]);
    expect(worker.faults).toEqual([]);
  });

  it("do not delay other deliveries of the record after their lease ended and another worker delivered them", async () => {
    const harness = await freshHarness(like);
    const hookId = await createHook(harness, "http://127.0.0.1:9/", { events: ["Truck"] });
    const truck = await createTruck(harness);
    await harness.ok("trucks.update", { params: truck, body: { weight: 1 } });
    const scope = { tenantId: harness.acme.tenantId, rowScopes: wholeTenant };
    const claim = async (leasedBy: string, leasedUntil: string): Promise<SentAttempt> => {
      const wanted = { hookId, now: harness.clock.now(), leasedBy, leasedUntil, limit: 1, firstEventId: 0 };
      const [due] = await harness.service.store.direct(scope).dueDeliveries.claim(wanted);
      if (!due) throw new Error("Nothing is due.");
      const request = { url: due.hook.url, headers: {}, body: "" };
      const outcome = { kind: "answered", status: 200, headers: {}, body: "", durationMs: 1 } as const;
      return { due, request, startedOn: wanted.now, outcome };
    };
    const record = (sent: SentAttempt) =>
      harness.service.store.write(scope, (store) => {
        const now = harness.clock.now();
        return recordAttempts(store, [sent], { now, machineTime: now, random: () => 0.5 });
      });
    const late = await claim("late", "2026-11-21T12:00:45.000000");
    harness.clock.advance(45 * seconds);
    await record(await claim("other", "2026-11-21T12:01:30.000000"));
    await record({ ...late, outcome: { ...late.outcome, status: 503 } as SentAttempt["outcome"] });
    expect(harness.store.rows("deliveries")).toMatchObject([
      { status: "delivered" },
      { next_attempt_on: "2026-11-21T12:00:45.000000", status: "pending" },
    ]);
  });
});
