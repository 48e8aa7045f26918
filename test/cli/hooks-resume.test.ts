import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { holdDeliveries } from "../../src/store/held-deliveries.ts";
import { heldMark } from "../../src/store/metadata-keys.ts";
import { runCommand } from "../support/command-line.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import { eventually } from "../support/eventually.ts";
import type { Harness } from "../support/harness.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, describeInProcessOnSqlite, freshHarness } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
/** Later than the machine's time, by which the command cancels deliveries. */
const later = "2099-01-01T00:00:00.000000";

const run = async (data: string, ...words: string[]) => {
  const { code, stdout, stderr } = await runCommand([...words, "--data", data, "-o", "json"]);
  return { code, stderr, value: stdout === "" ? null : JSON.parse(stdout) };
};

const statuses = (harness: Harness) => harness.store.rows("deliveries").map(({ status }) => status);

describeInProcess("deliveries on hold", (like) => {
  it("belong to all tenants, so pause and resume refuse --tenant and change nothing", async () => {
    const { store } = await freshHarness(like);
    for (const words of [["pause"], ["resume", "--yes"]]) {
      const refused = await run(store.data, "hooks", ...words, "--tenant", "1");
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("of all tenants")]);
      expect(await run(store.data, "hooks", "resume", "--yes")).toMatchObject({ value: { held: null } });
    }
  });

  it("are claimed by no worker, including new ones, until another process resumes them", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url);
    const worker = startTestWorker(harness);
    const { data } = harness.store;
    const paused = await run(data, "hooks", "pause", "--reason", "the receivers move");
    expect(paused).toMatchObject({ code: 0, value: { held: { reason: "the receivers move" } } });
    const again = await run(data, "hooks", "pause");
    expect(again.value).toEqual(paused.value);
    const renamed = await run(data, "hooks", "pause", "--reason", "they move for long");
    expect(renamed.value).toEqual({ held: { ...paused.value.held, reason: "they move for long" } });
    await createJob(harness);
    await createJob(harness);
    await worker.drain();
    expect([deliveries.length, statuses(harness)]).toEqual([0, ["pending", "pending"]]);

    const { code, stderr } = await run(data, "hooks", "deliver");
    expect([code, stderr]).toEqual([6, expect.stringContaining("they move for long")]);
    const host = new URL(url).host;
    expect(await run(data, "hooks", "resume")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`2 pending to ${host}`),
    });
    expect(deliveries).toHaveLength(0);
    expect(await run(data, "hooks", "resume", "--yes")).toMatchObject({
      code: 0,
      stderr: "",
      value: { discarded: 0, hosts: [{ host, count: 2 }], pending: 2 },
    });
    // Another process resumed the deliveries, so this worker finds them only when it polls.
    await eventually(() => expect(deliveries).toHaveLength(2));
    expect((await run(data, "hooks", "resume")).value).toMatchObject({ held: null });
  });

  it("stop a running worker: unclaimed deliveries stay pending", async () => {
    const harness = await freshHarness(like);
    let answer = (): void => undefined;
    const { url, deliveries } = await startReceiver((response) => {
      answer = () => void response.end();
    });
    await createHook(harness, url);
    const worker = startTestWorker(harness);
    await createJob(harness);
    await eventually(() => expect(deliveries).toHaveLength(1));
    await holdDeliveries(harness.service.store.metadata, { since: harness.clock.now(), reason: "a test" });
    await createJob(harness);
    answer();
    await worker.drain();
    expect([deliveries.length, statuses(harness)]).toEqual([1, ["delivered", "pending"]]);
  });

  it("stop a running worker: claimed deliveries without an attempt become pending again", async () => {
    const harness = await freshHarness(like);
    const answers: (() => void)[] = [];
    // The worker claims several deliveries at once only after some succeed.
    const { url, deliveries } = await startReceiver((response) =>
      deliveries.length > 12 ? void answers.push(() => response.end()) : response.end(),
    );
    await createHook(harness, url);
    for (let made = 0; made < 40; made++) await createJob(harness);
    const worker = startTestWorker(harness);
    const { backlog, metadata } = harness.service.store;
    const countClaimed = () => backlog.countLeased(harness.clock.now());
    await eventually(async () => {
      expect(await countClaimed()).toBeGreaterThan(answers.length);
      expect(answers.length).toBeGreaterThan(0);
    });
    const looked = vi.spyOn(metadata, "get");
    await holdDeliveries(metadata, { since: harness.clock.now(), reason: "a test" });
    // At the third read of the hold, the worker has finished acting on the first.
    const looks = () => looked.mock.calls.filter(([key]) => key === heldMark).length;
    await eventually(() => expect(looks()).toBeGreaterThan(2));
    const begun = deliveries.length;
    for (const answer of answers.splice(0)) answer();
    await worker.drain();
    expect(deliveries).toHaveLength(begun);
    expect(await countClaimed()).toBe(0);
  });

  it("are canceled with --discard, and later events are sent", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hookId = await createHook(harness, url);
    const { data } = harness.store;
    await run(data, "hooks", "pause");
    await createJob(harness);
    await createJob(harness);
    expect((await run(data, "hooks", "resume", "--discard", "--yes")).value).toMatchObject({ discarded: 2 });
    expect(statuses(harness)).toEqual(["cancelled", "cancelled"]);
    await createJob(harness);
    await startTestWorker(harness).drain();
    expect(deliveries).toHaveLength(1);
    // Enabling the webhook with its backlog does not send canceled deliveries.
    harness.clock.set(later);
    await harness.ok("hooks.delete", { params: { hook_id: hookId } });
    await harness.ok("hooks.enable", { params: { hook_id: hookId }, body: { backlog: "send" } });
    expect(statuses(harness)).toEqual(["cancelled", "cancelled", "delivered"]);
  });
});

describeInProcessOnSqlite("deliveries on hold, on any database,", (like) => {
  it("make ping and trigger fail, and doctor suggests how to resume", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hookId = await createHook(harness, url);
    const { data } = harness.store;
    const jobId = await createJob(harness);
    await run(data, "hooks", "pause", "--reason", "the receivers move");
    const params = { hook_id: hookId };
    const body = { action: "updated", record_id: jobId, type: "Job" };
    for (const refused of [
      await harness.refused("hooks.ping", { params }),
      await harness.refused("hooks.trigger", { params, body }),
    ])
      expect(refused).toMatchObject({
        code: "state_conflict",
        detail: expect.stringContaining("the receivers move"),
      });
    expect(deliveries).toHaveLength(0);
    const { value } = await run(data, "doctor");
    const finding = value.findings.find(({ check }: { check: string }) => check === "deliveries");
    expect(finding).toMatchObject({
      detail: expect.stringContaining("the receivers move"),
      fix: expect.stringMatching(/^dispatch-cli hooks resume --data /),
      status: "warn",
    });
  });
});

describe("a restored store", () => {
  it("sends none of the pending deliveries of the backup until the operator resumes them", async () => {
    const { url, deliveries } = await startReceiver();
    const [data, restored, backup] = ["live.db", "drill.db", "live.gz"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await run(data, "init", "--allow-private-hooks");
    await run(data, "hooks", "create", "--events", "Truck", "--callback-url", url);
    await run(data, "hooks", "pause");
    const made = await run(data, "trucks", "create", "--location", "1", "--name", "T");
    expect(made.stderr).toContain("1 webhook delivery is pending; the store holds them since");
    expect((await run(data, "backup", backup)).code).toBe(0);
    expect(await run(data, "hooks", "resume", "--yes")).toMatchObject({ code: 0 });
    expect((await run(data, "hooks", "deliver")).value).toMatchObject({ delivered: 1 });

    const { value } = await run(restored, "restore", backup);
    expect(value.deliveries_held).toMatchObject({
      reason: expect.stringContaining("restored from a backup of 20"),
    });
    expect((await run(restored, "hooks", "deliver")).code).toBe(6);
    expect((await run(restored, "trucks", "create", "--location", "1", "--name", "U")).code).toBe(0);
    expect(deliveries).toHaveLength(1);
    expect((await run(restored, "hooks", "resume", "--discard", "--yes")).value).toMatchObject({
      discarded: 2,
    });
    expect((await run(restored, "hooks", "deliver")).value).toMatchObject({ attempts: 0 });
    await run(restored, "trucks", "create", "--location", "1", "--name", "V");
    expect(deliveries).toHaveLength(2);
  });
});
