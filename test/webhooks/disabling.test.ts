import { expect, it } from "vitest";
import { toEpochMs } from "../../src/runtime/clock.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import type { Harness } from "../support/harness.ts";
import { startReceiver } from "../support/receiver.ts";
import {
  describeInProcess,
  describeInProcessOnSqlite,
  describeOnEveryTarget,
  freshHarness,
} from "../support/targets.ts";
import { testStart } from "../support/test-clock.ts";

const seconds = 1000;
const hours = 60 * 60 * seconds;
const ladder = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Moves the clock to the next scheduled attempt of any delivery. Returns false without one. */
function moveToNext(harness: Harness): boolean {
  const pending = harness.store.rows("deliveries").filter(({ status }) => status === "pending");
  const next = pending.map(({ next_attempt_on: on }) => String(on)).sort()[0];
  if (next && next > harness.clock.now()) harness.clock.set(next);
  return next !== undefined;
}

describeInProcessOnSqlite("a receiver that always fails", (like) => {
  it("gets ten attempts with growing waits, ±20 %, and then the delivery fails", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver(500);
    const hook_id = await createHook(harness, url);
    await createJob(harness);
    const worker = startTestWorker(harness);
    const times: string[] = [];
    do {
      times.push(harness.clock.now());
      await worker.drain();
    } while (moveToNext(harness));
    const waits = times.slice(1).map((time, index) => toEpochMs(time) - toEpochMs(times[index] ?? ""));
    expect(waits).toHaveLength(9);
    for (const [index, wait] of ladder.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(wait * 0.8 * seconds);
      expect(waits[index]).toBeLessThanOrEqual(wait * 1.2 * seconds);
    }
    expect(deliveries).toHaveLength(10);
    expect(harness.store.rows("deliveries")).toMatchObject([
      { attempt: 10, finished_on: times.at(-1), next_attempt_on: null, status: "failed" },
    ]);
    const hook = await harness.ok("hooks.get", { params: { hook_id } });
    expect([hook.last_http_fail, hook.last_http_success, hook.deleted_at]).toEqual([
      times.at(-1),
      null,
      null,
    ]);
  });

  it("is deactivated with its reason only when 5 days have passed and ten messages have failed", async () => {
    const harness = await freshHarness(like);
    const { url } = await startReceiver(500);
    const hook_id = await createHook(harness, url);
    const hook = () => harness.ok("hooks.get", { params: { hook_id } });
    const worker = startTestWorker(harness);
    for (let number = 0; number < 8; number += 1) await createJob(harness);
    while (moveToNext(harness)) await worker.drain();
    await createJob(harness);
    harness.clock.set("2026-11-27T12:00:00.000000");
    await worker.drain();
    // Six days have passed, but only nine deliveries have failed.
    expect(await hook()).toMatchObject({ deleted_at: null, deleted_reason: null });
    await createJob(harness);
    await worker.drain();
    expect(await hook()).toMatchObject({
      deleted_at: "2026-11-27T12:00:00.000000",
      deleted_reason: expect.stringContaining(`failed since ${testStart}`),
    });
    expect(worker.lines.filter(({ disabled_because: why }) => why)).toHaveLength(1);
    const left = harness.store.rows("deliveries").slice(8);
    expect(left.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    // Nothing delivers this one.
    await createJob(harness);
    expect(harness.store.rows("deliveries")).toHaveLength(10);
  });

  it("stays active if ten messages failed in less than 5 days, or if one succeeded in between", async () => {
    const harness = await freshHarness(like);
    let isUp = false;
    const { url } = await startReceiver((response) => response.writeHead(isUp ? 200 : 500).end());
    const hook_id = await createHook(harness, url);
    const worker = startTestWorker(harness);
    const fail = async () => {
      for (let number = 0; number < 12; number += 1) await createJob(harness);
      await worker.drain();
    };
    await fail();
    harness.clock.advance(119 * hours);
    await fail();
    isUp = true;
    await harness.ok("hooks.ping", { params: { hook_id } });
    isUp = false;
    harness.clock.advance(2 * hours);
    await fail();
    expect(await harness.ok("hooks.get", { params: { hook_id } })).toMatchObject({ deleted_at: null });
  });
});

describeInProcess("a receiver that answers 410", (like) => {
  it("is deactivated at once", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver(410);
    const hook_id = await createHook(harness, url);
    const other = await createHook(harness, (await startReceiver()).url);
    await createJob(harness);
    await startTestWorker(harness).drain();
    expect(deliveries).toHaveLength(1);
    expect(await harness.ok("hooks.get", { params: { hook_id } })).toMatchObject({
      deleted_at: testStart,
      deleted_reason: expect.stringContaining("410"),
      last_http_fail: testStart,
    });
    expect(await harness.ok("hooks.get", { params: { hook_id: other } })).toMatchObject({ deleted_at: null });
  });
});

describeOnEveryTarget("hooks.enable", (like) => {
  const setUp = async () => {
    const harness = await freshHarness(like);
    let status = 410;
    const { url, deliveries } = await startReceiver((response) => response.writeHead(status).end());
    const hook_id = await createHook(harness, url);
    const jobs = [await createJob(harness), await createJob(harness), await createJob(harness)];
    const worker = startTestWorker(harness);
    await worker.drain();
    status = 200;
    const sent = () => deliveries.splice(0).map(({ body }) => JSON.parse(body).data.id);
    sent();
    harness.clock.advance(60_000);
    return { harness, params: { hook_id }, jobs, worker, sent };
  };

  it("enables a webhook, with its pending deliveries on request", async () => {
    const { harness, params, jobs, worker, sent } = await setUp();
    await createJob(harness);
    const hook = await harness.ok("hooks.enable", { params, body: { backlog: "send" } });
    expect(hook).toMatchObject({ deleted_at: null, deleted_reason: null });
    await worker.drain();
    // Events during the deactivation never get a delivery.
    expect(sent().sort()).toEqual(jobs);
    const next = await createJob(harness);
    await worker.drain();
    expect(sent()).toEqual([next]);
    expect(harness.store.rows("audit").map(({ action }) => action)).toContain("enabled");
  });

  it("drops the backlog unless the caller asks for it", async () => {
    const { harness, params, worker, sent } = await setUp();
    await harness.ok("hooks.enable", { params, body: {} });
    await worker.drain();
    expect(sent()).toEqual([]);
    const next = await createJob(harness);
    await worker.drain();
    expect(sent()).toEqual([next]);
    // The next deactivation does not bring it back.
    harness.clock.advance(60_000);
    await harness.ok("hooks.delete", { params });
    harness.clock.advance(60_000);
    await harness.ok("hooks.enable", { params, body: { backlog: "send" } });
    await worker.drain();
    expect(sent()).toEqual([]);
  });

  it("returns an active webhook unchanged, and answers 404 for a webhook of another tenant", async () => {
    const { harness, params, worker } = await setUp();
    await harness.ok("hooks.enable", { params, body: {} });
    // A running worker would update its presence in the store.
    await worker.stop(0);
    const before = harness.store.contents();
    for (const backlog of ["send", "skip", null])
      await harness.ok("hooks.enable", { params, body: { backlog } });
    const foreign = { params: { hook_id: harness.globex.hookId }, body: {} };
    expect(await harness.refused("hooks.enable", foreign)).toMatchObject({ status: 404 });
    const wrong = { params, body: { backlog: "later" } };
    expect(await harness.refused("hooks.enable", wrong)).toMatchObject({ code: "invalid_choice" });
    expect(harness.store.contents()).toEqual(before);
  });
});
