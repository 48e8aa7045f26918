import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openService } from "../../src/core/open-service.ts";
import { readEpochMs, toEpochMs, toTimestamp } from "../../src/runtime/clock.ts";
import { type ClockFacts, makeSandbox, moveClock } from "../../src/store/store-clock.ts";
import { runCommand } from "../support/command-line.ts";
import { createHook, createTruck } from "../support/delivering.ts";
import type { Harness } from "../support/harness.ts";
import { onceNoticed } from "../support/noticed.ts";
import { runProgram } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { describeInProcess, describeInProcessOnSqlite, freshHarness } from "../support/targets.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const day = 86_400_000;

/** Returns a copy of the harness that reads the store as a sandbox, as other processes do. */
async function sandboxHarness(like: Harness): Promise<Harness> {
  const harness = await freshHarness(like);
  await makeSandbox(harness.service);
  return harness;
}

const clock = (data: string, ...words: string[]) =>
  runCommand(["clock", ...words, "--data", data, "-o", "json"]);

async function facts(data: string, ...words: string[]): Promise<ClockFacts> {
  const { code, stdout } = await clock(data, ...words);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describeInProcess("the clock of a store", (like) => {
  it("is the machine's clock and cannot change, unless the store is a sandbox", async () => {
    const { data } = like.store;
    expect(await facts(data, "show")).toMatchObject({ sandbox: false, offset_ms: 0 });
    const before = like.store.contents();
    for (const words of [["advance", "3d"], ["set", "2026-12-01"], ["reset"]]) {
      const { code, stdout, stderr } = await clock(data, ...words);
      expect([code, stdout, stderr]).toEqual([6, "", expect.stringContaining("is not a sandbox")]);
    }
    expect(like.store.contents()).toEqual(before);
  });

  it("can be moved by a duration, to a time, and back, and keeps running", async () => {
    const { data } = (await sandboxHarness(like)).store;
    expect(await facts(data, "advance", "3d")).toMatchObject({ sandbox: true, offset_ms: 3 * day });
    expect(await facts(data, "advance", "90s")).toMatchObject({ offset_ms: 3 * day + 90_000 });
    const set = await facts(data, "set", "2031-02-03T04:05:06+02:00");
    expect(set.store_time).toBe("2031-02-03T02:05:06.000000");
    const later = await facts(data, "show");
    expect(later.offset_ms).toBe(set.offset_ms);
    expect(toEpochMs(later.store_time) - toEpochMs(later.machine_time)).toBe(set.offset_ms);
    expect(later.store_time > set.store_time).toBe(true);
    const { code, stderr } = await clock(data, "set", "2001-01-01");
    expect([code, stderr]).toEqual([0, expect.stringContaining("went back from 2031-02-03T02:05:0")]);
    expect(await facts(data, "reset")).toMatchObject({ sandbox: true, offset_ms: 0 });
  });

  it("adds up moves made at the same time", async () => {
    const { data } = (await sandboxHarness(like)).store;
    const advance = () => runProgram(["clock", "advance", "1h", "--data", data]);
    expect((await Promise.all([1, 2, 3].map(advance))).map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await facts(data, "show")).toMatchObject({ offset_ms: 3 * 3_600_000 });
  });

  it("sets the timestamps of later writes, also in processes that had the store open before", async () => {
    const harness = await sandboxHarness(like);
    const other = openService({ data: harness.store.data, clock: harness.clock });
    const running = { ...harness.service, clock: other.clock };
    await running.clock.refresh();
    expect(running.clock.now()).toBe(harness.clock.now());
    await facts(harness.store.data, "advance", "5d");
    await onceNoticed(harness, async () => {
      await running.clock.refresh();
      expect(running.clock.now()).toBe(toTimestamp(toEpochMs(harness.clock.now()) + 5 * day));
    });
    await other.store.close();
    const as = harness.acme.callers.Dispatcher.user.username;
    const made = await runCommand([
      ...[
        "trucks",
        "create",
        "--location",
        String(harness.acme.locationId),
        "--name",
        "T",
        "--data",
        harness.store.data,
      ],
      ...["--tenant", String(harness.acme.tenantId), "--as", as],
    ]);
    expect(made.code).toBe(0);
    const stamped = String(harness.store.rows("audit").at(-1)?.created_on).replace(" ", "T");
    expect(toEpochMs(stamped) - readEpochMs()).toBeGreaterThan(4 * day);
  });

  it("may go back past the lease of a dead worker, and its delivery is due again at once", async () => {
    const harness = await sandboxHarness(like);
    const { url, deliveries } = await startReceiver();
    await createHook(harness, url, { events: ["Truck"] });
    await createTruck(harness);
    const { after } = await moveClock(harness.service, () => 10 * day);
    const until = toTimestamp(toEpochMs(after.store_time) + 45_000);
    const held = { leased_by: "dead", leased_until: until, next_attempt_on: until };
    harness.store.update("deliveries", Number(harness.store.rows("deliveries")[0]?.id), held);
    await moveClock(harness.service, () => 0);
    const { stdout } = await runCommand(["hooks", "deliver", "--data", harness.store.data, "-o", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ delivered: 1 });
    expect(deliveries).toHaveLength(1);
  });

  it("is copied with the store", async () => {
    const harness = await sandboxHarness(like);
    await facts(harness.store.data, "advance", "7d");
    const copy = join(folder, `${harness.database.name}.db`);
    expect((await runCommand(["store", "copy", "--from", harness.store.data, "--to", copy])).code).toBe(0);
    expect(await facts(copy, "show")).toMatchObject({ sandbox: true, offset_ms: 7 * day });
  });
});

describeInProcessOnSqlite("the clock of a store, on any database,", (like) => {
  it("refuses invalid times and durations, and times outside the range of the store", async () => {
    const { data } = (await sandboxHarness(like)).store;
    const wrong = [
      ["set", "someday"],
      ["set", "2026-13-01"],
      ["set", "9999-01-01"],
      ["set", "1969-12-31"],
      ["set"],
      ["advance", "3"],
      ["advance", "101d"],
      ["advance", "１d"],
      ["advance", ""],
      ["wind"],
    ];
    for (const words of wrong) expect([words, (await clock(data, ...words)).code]).toEqual([words, 2]);
    expect(await facts(data, "show")).toMatchObject({ offset_ms: 0 });
  });
});

describe("clock", () => {
  it("works on stores only; for a server the error says where to run it", async () => {
    const { code, stderr } = await runCommand(["clock", "advance", "3d", "--url", "http://127.0.0.1:1"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Run it where the store is")]);
  });

  it("works on stores created by demo and by init --sandbox, and on no others", async () => {
    const made = {
      demo: ["demo", "--jobs", "1"],
      plain: ["init"],
      sandbox: ["init", "--sandbox"],
    };
    for (const [name, words] of Object.entries(made)) {
      const data = join(folder, `${name}.db`);
      expect((await runCommand([...words, "--data", data])).code).toBe(0);
      expect(await facts(data, "show")).toMatchObject({ sandbox: name !== "plain" });
    }
    const { stdout } = await runCommand(["clock", "advance", "26h", "--data", join(folder, "demo.db")]);
    expect(stdout).toMatch(
      /^sandbox {7}yes\nstore_time {4}\S+\nlocal_time {4}\w+ \w+ \d+ \d+:\d\d [ap]m \w+ \(\S+\)\nmachine_time {2}\S+\noffset {8}1d 2h ahead\n$/,
    );
  });
});
