import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { expect, it } from "vitest";
import { wholeTenant } from "../../src/store/access/row-scopes.ts";
import { endStranded } from "../../src/webhooks/worker-presence.ts";
import { createHook, createJob, startTestWorker } from "../support/delivering.ts";
import { eventually, within } from "../support/eventually.ts";
import type { Harness } from "../support/harness.ts";
import { runProgram, startProgram, toExit } from "../support/program.ts";
import { createTruckHook } from "../support/program-store.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, freshHarness } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();

/** Claims all due deliveries for a worker that then dies. */
async function claimAndDie(harness: Harness, hookId: number, workerId: string, leasedUntil: string) {
  const scope = { tenantId: harness.acme.tenantId, rowScopes: [{ kind: "tenant" }] } as const;
  const { deliveryWorkers, dueDeliveries } = harness.service.store.direct(scope);
  await deliveryWorkers.beat({ id: workerId, beats: 7, reachesPrivate: false });
  const claim = { hookId, now: harness.clock.now(), leasedBy: `${workerId}.1`, leasedUntil };
  expect(await dueDeliveries.claim({ ...claim, limit: 10, firstEventId: 0 })).toHaveLength(1);
}

const workers = (harness: Harness) => harness.store.rows("delivery_workers");
const dead = "00000000-0000-4000-8000-00000000dead";
const alive = "00000000-0000-4000-8000-0000000a11fe";

/** A worker counts as dead after it misses 7 polls. The killed `hooks deliver` below polls once a second. */
const quick = { presenceMs: 200 };

describeInProcess("a worker that dies", (like) => {
  it("loses its deliveries to another worker long before the lease ends", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hookId = await createHook(harness, url);
    await createJob(harness);
    await claimAndDie(harness, hookId, dead, "2026-11-21T12:00:45.000000");
    const worker = startTestWorker(harness, quick);
    // The clock stands still, so the lease does not end.
    await eventually(() => expect(deliveries).toHaveLength(1));
    await worker.drain();
    expect(harness.store.rows("deliveries")).toMatchObject([{ attempt: 1, status: "delivered" }]);
    expect(worker.faults).toEqual([]);
    await eventually(() => expect(workers(harness)).toEqual([]));
  });

  it("does not count as dead while it lives, however long its attempt takes", async () => {
    const harness = await freshHarness(like);
    let answer = (): void => undefined;
    const { url, deliveries } = await startReceiver((response) => {
      answer = () => void response.end();
    });
    await createHook(harness, url);
    const holding = startTestWorker(harness, quick);
    const other = startTestWorker(harness, quick);
    await createJob(harness);
    await eventually(() => expect(deliveries).toHaveLength(1));
    await sleep(15 * quick.presenceMs);
    answer();
    await holding.drain();
    await other.drain();
    expect(deliveries).toHaveLength(1);
    expect(harness.store.rows("deliveries")).toMatchObject([{ attempt: 1, status: "delivered" }]);
  });

  it("has no row while it is idle, and writes nothing then", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url);
    startTestWorker(harness, quick);
    await createJob(harness);
    await eventually(() => expect(deliveries).toHaveLength(1));
    await eventually(() => expect(workers(harness)).toEqual([]));
    const before = harness.store.contents();
    await sleep(3 * quick.presenceMs);
    expect(harness.store.contents()).toEqual(before);
  });
});

describeInProcess("a clock that was set back", (like) => {
  it("blocks no claimed delivery and no pending retry", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    const hookId = await createHook(harness, url);
    await createJob(harness);
    await claimAndDie(harness, hookId, dead, "2026-11-21T13:00:45.000000");
    await createJob(harness);
    const [, second] = harness.store.rows("deliveries");
    harness.store.update("deliveries", Number(second?.id), {
      attempt: 1,
      next_attempt_on: "2027-11-21T12:00:00.000000",
    });
    // Only a lease that lasts another hour remains.
    harness.store.execute("delete from delivery_workers");
    await startTestWorker(harness).drain();
    expect(deliveries).toHaveLength(2);
  });

  it("takes no delivery from a worker that claims it after another worker found it blocked", async () => {
    const harness = await freshHarness(like);
    const { store } = harness.service;
    const hookId = await createHook(harness, "https://receiver.example/");
    await createJob(harness);
    await claimAndDie(harness, hookId, dead, "2026-11-21T13:00:45.000000");
    const latest = { leaseEnd: "2026-11-21T12:01:45.000000", retry: "2026-11-22T16:49:00.000000" };
    const found = await store.backlog.stranded(latest);
    expect(found).toHaveLength(1);
    await endStranded(harness.service);
    await claimAndDie(harness, hookId, alive, "2026-11-21T12:00:45.000000");
    const held = harness.store.rows("deliveries");
    expect(held).toMatchObject([{ leased_by: `${alive}.1` }]);
    const scope = { tenantId: 0, rowScopes: wholeTenant };
    await store.writeRelaxed(scope, ({ backlog }) => backlog.endStranded(found, latest, harness.clock.now()));
    expect(harness.store.rows("deliveries")).toEqual(held);
  });

  it("keeps a retry at the latest possible time", async () => {
    const harness = await freshHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url);
    await createJob(harness);
    const [row] = harness.store.rows("deliveries");
    harness.store.update("deliveries", Number(row?.id), {
      attempt: 9,
      next_attempt_on: "2026-11-22T16:48:00.000000",
    });
    await startTestWorker(harness).drain();
    expect(deliveries).toHaveLength(0);
  });
});

it("takes over the deliveries of a killed `hooks deliver`", async () => {
  const data = join(folder, "killed.db");
  let isHanging = true;
  const { url, deliveries } = await startReceiver((response) => {
    if (!isHanging) response.end();
  });
  await runProgram(["init", "--allow-private-hooks", "--data", data]);
  await createTruckHook(data, url);
  const watch = () => startProgram(["hooks", "deliver", "--watch", "--data", data]);
  const first = watch();
  const exited = toExit(first);
  const connection = new SqliteDatabase(data, { timeout: 10_000 });
  const made = startProgram(["trucks", "create", "--location", "1", "--name", "T", "--data", data]);
  const madeExit = toExit(made);
  await eventually(() => expect(deliveries).toHaveLength(1));
  first.kill("SIGKILL");
  made.kill("SIGKILL");
  await Promise.all([exited, madeExit]);
  expect(connection.prepare("select count(*) from delivery_workers").pluck().get()).toBeGreaterThan(0);
  isHanging = false;
  const second = watch();
  const secondExit = toExit(second);
  // The killed worker's lease lasts 45 s.
  await within(30_000, () => expect(deliveries).toHaveLength(2));
  second.kill("SIGINT");
  expect(await secondExit).toBe(0);
  expect(connection.prepare("select status from deliveries").pluck().all()).toEqual(["delivered"]);
  connection.close();
});
