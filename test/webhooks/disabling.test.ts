import { expect, it } from "vitest";
import { toEpochMs } from "../../src/runtime/clock.ts";
import type { Bed } from "../support/bed.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, describeOnEveryTarget, freshBed } from "../support/targets.ts";
import { testStart } from "../support/test-clock.ts";

const seconds = 1000;
const hours = 60 * 60 * seconds;
const ladder = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Moves the clock to the next attempt that any delivery is waiting for; false when there is none. */
function moveToNext(bed: Bed): boolean {
  const pending = bed.store.rows("deliveries").filter(({ status }) => status === "pending");
  const next = pending.map(({ next_attempt_on: on }) => String(on)).sort()[0];
  if (next && next > bed.clock.now()) bed.clock.set(next);
  return next !== undefined;
}

describeInProcess("a receiver that only fails (OP-77)", (like) => {
  it("is tried ten times on the ladder, ±20 %, and the delivery is given up", async () => {
    const bed = await freshBed(like);
    const { url, deliveries } = await startReceiver(500);
    const hook_id = await createHook(bed, url);
    await createJob(bed);
    const worker = startTestWorker(bed);
    const times: string[] = [];
    do {
      times.push(bed.clock.now());
      await worker.drain();
    } while (moveToNext(bed));
    const waits = times.slice(1).map((time, index) => toEpochMs(time) - toEpochMs(times[index] ?? ""));
    expect(waits).toHaveLength(9);
    for (const [index, wait] of ladder.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(wait * 0.8 * seconds);
      expect(waits[index]).toBeLessThanOrEqual(wait * 1.2 * seconds);
    }
    expect(deliveries).toHaveLength(10);
    expect(bed.store.rows("deliveries")).toMatchObject([
      { attempt: 10, finished_on: times.at(-1), next_attempt_on: null, status: "failed" },
    ]);
    const hook = await bed.ok("hooks.get", { params: { hook_id } });
    expect([hook.last_http_fail, hook.last_http_success, hook.deleted_at]).toEqual([
      times.at(-1),
      null,
      null,
    ]);
  });

  it("is deactivated with its reason after 5 days and ten messages, not before either", async () => {
    const bed = await freshBed(like);
    const { url } = await startReceiver(500);
    const hook_id = await createHook(bed, url);
    const hook = () => bed.ok("hooks.get", { params: { hook_id } });
    const worker = startTestWorker(bed);
    for (let number = 0; number < 8; number += 1) await createJob(bed);
    while (moveToNext(bed)) await worker.drain();
    await createJob(bed);
    bed.clock.set("2026-11-27T12:00:00.000000");
    await worker.drain();
    // Six days, but nine messages.
    expect(await hook()).toMatchObject({ deleted_at: null, deleted_reason: null });
    await createJob(bed);
    await worker.drain();
    expect(await hook()).toMatchObject({
      deleted_at: "2026-11-27T12:00:00.000000",
      deleted_reason: expect.stringContaining(`failed since ${testStart}`),
    });
    expect(worker.lines.filter(({ disabled }) => disabled)).toHaveLength(1);
    const left = bed.store.rows("deliveries").slice(8);
    expect(left.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    // From here on there are no deliveries at all.
    await createJob(bed);
    expect(bed.store.rows("deliveries")).toHaveLength(10);
  });

  it("stays active when ten messages failed in less than 5 days, and when one succeeded in between", async () => {
    const bed = await freshBed(like);
    let isUp = false;
    const { url } = await startReceiver((response) => response.writeHead(isUp ? 200 : 500).end());
    const hook_id = await createHook(bed, url);
    const worker = startTestWorker(bed);
    const fail = async () => {
      for (let number = 0; number < 12; number += 1) await createJob(bed);
      await worker.drain();
    };
    await fail();
    bed.clock.advance(119 * hours);
    await fail();
    isUp = true;
    await bed.ok("hooks.ping", { params: { hook_id } });
    isUp = false;
    bed.clock.advance(2 * hours);
    await fail();
    expect(await bed.ok("hooks.get", { params: { hook_id } })).toMatchObject({ deleted_at: null });
  });

  it("is deactivated at once by 410", async () => {
    const bed = await freshBed(like);
    const { url, deliveries } = await startReceiver(410);
    const hook_id = await createHook(bed, url);
    const other = await createHook(bed, (await startReceiver()).url);
    await createJob(bed);
    await startTestWorker(bed).drain();
    expect(deliveries).toHaveLength(1);
    expect(await bed.ok("hooks.get", { params: { hook_id } })).toMatchObject({
      deleted_at: testStart,
      deleted_reason: expect.stringContaining("410"),
      last_http_fail: testStart,
    });
    expect(await bed.ok("hooks.get", { params: { hook_id: other } })).toMatchObject({ deleted_at: null });
  });
});

describeOnEveryTarget("hooks.enable", (like) => {
  const setUp = async () => {
    const bed = await freshBed(like);
    let status = 410;
    const { url, deliveries } = await startReceiver((response) => response.writeHead(status).end());
    const hook_id = await createHook(bed, url);
    const jobs = [await createJob(bed), await createJob(bed), await createJob(bed)];
    const worker = startTestWorker(bed);
    await worker.drain();
    status = 200;
    const sent = () => deliveries.splice(0).map(({ body }) => JSON.parse(body).data.id);
    sent();
    bed.clock.advance(60_000);
    return { bed, params: { hook_id }, jobs, worker, sent };
  };

  it("brings a webhook back, with what was pending when it was deactivated if asked for it", async () => {
    const { bed, params, jobs, worker, sent } = await setUp();
    await createJob(bed);
    const hook = await bed.ok("hooks.enable", { params, body: { backlog: "send" } });
    expect(hook).toMatchObject({ deleted_at: null, deleted_reason: null });
    await worker.drain();
    // What happened while it was deactivated was never meant for it.
    expect(sent().sort()).toEqual(jobs);
    const next = await createJob(bed);
    await worker.drain();
    expect(sent()).toEqual([next]);
    expect(bed.store.rows("audit").map(({ action }) => action)).toContain("enabled");
  });

  it.each([{}, { backlog: "skip" }, { backlog: null }])("leaves the backlog behind with %j", async (body) => {
    const { bed, params, worker, sent } = await setUp();
    await bed.ok("hooks.enable", { params, body });
    await worker.drain();
    expect(sent()).toEqual([]);
    const next = await createJob(bed);
    await worker.drain();
    expect(sent()).toEqual([next]);
    // Nor does it come with the next deactivation.
    bed.clock.advance(60_000);
    await bed.ok("hooks.delete", { params });
    bed.clock.advance(60_000);
    await bed.ok("hooks.enable", { params, body: { backlog: "send" } });
    await worker.drain();
    expect(sent()).toEqual([]);
  });

  it("answers an active webhook unchanged, and one of another tenant with 404", async () => {
    const { bed, params } = await setUp();
    await bed.ok("hooks.enable", { params, body: {} });
    const before = bed.store.contents();
    await bed.ok("hooks.enable", { params, body: { backlog: "send" } });
    const foreign = { params: { hook_id: bed.globex.hookId }, body: {} };
    expect(await bed.refused("hooks.enable", foreign)).toMatchObject({ status: 404 });
    const wrong = { params, body: { backlog: "later" } };
    expect(await bed.refused("hooks.enable", wrong)).toMatchObject({ code: "invalid_choice" });
    expect(bed.store.contents()).toEqual(before);
  });
});
