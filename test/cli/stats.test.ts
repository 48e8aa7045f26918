import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { createJobWords, customerBody } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const stores = [
  { name: "SQLite", create: () => ({ data: join(folder, "store.db"), remove: () => undefined }) },
  { name: "PostgreSQL", create: createEmptyDatabase },
];

describe.each(stores)("stats on $name", ({ create }) => {
  it("counts the records of one tenant, its jobs around today by state, and its events by day", async () => {
    const { data, remove } = create();
    const run = async (words: string[], input?: string) => {
      const result = await runCommand(
        [...words, "--data", data, "-o", "json"],
        input === undefined ? {} : { input },
      );
      expect([result.code, result.stderr]).toEqual([0, ""]);
      return JSON.parse(result.stdout);
    };
    await run(["init", "--tenant", "Acme 株式会社", "--location", "Main yard"]);
    expect(await run(["stats"])).toMatchObject({
      deliveries_by_status: {},
      deliveries_pending: 0,
      events_by_day: {},
      jobs_by_state: {},
      kept_for: { audit: "forever", chats: "forever", deliveries: "30d", events: "30d", gps: "forever" },
      tenant: { id: 1, name: "Acme 株式会社" },
      totals: { customers: 0, jobs: 0, locations: 1, users: 1 },
    });
    await run(["customers", "create", "--location", "1", "--body", "-"], customerBody("Łukasz"));
    await run(["trucks", "create", "--location", "1", "--name", "T"]);
    for (const days of [-100, -3, 0, 2, 100]) await run([...createJobWords, "--schedule-date", day(days)]);
    await run([...createJobWords]);
    await run(["jobs", "complete", "2", "--location", "1", "--yes"]);
    await run(["jobs", "assign", "3", "--location", "1", "--truck-id", "1"]);
    await run(["tenants", "create", "--name", "Globex"]);
    const other = await run(["stats", "--tenant", "2"]);
    expect(other.totals).toMatchObject({ customers: 0, events: 0, jobs: 0, users: 1 });
    const stats = await run(["stats", "--tenant", "1"]);
    // Only the total counts the job of 100 days ago, the job in 100 days, and the job without a date.
    expect(stats.jobs_by_state).toEqual({ completed: 1, dispatched: 1, unassigned: 1 });
    expect(stats.totals).toMatchObject({ addresses: 1, customers: 1, jobs: 6, trucks: 1 });
    const events = Object.values(stats.events_by_day as Record<string, number>);
    expect(events.reduce((sum, count) => sum + count, 0)).toBe(stats.totals.events);
    expect(stats.store.bytes).toBeGreaterThan(10_000);
    expect(stats.last_changed_on).toContain(day(0).slice(0, 4));
    const all = await run(["stats", "--all-tenants"]);
    expect(all).toMatchObject([
      { id: 1, name: "Acme 株式会社", jobs: 6, customers: 1, deliveries_pending: 0 },
      { id: 2, name: "Globex", jobs: 0, users: 1 },
    ]);
    expect(all[0]).toMatchObject({ events: stats.totals.events, last_changed_on: stats.last_changed_on });
    remove();
  });
});

it("counts the jobs of a period by month, customer, truck, and driver, on a store and on a server", async () => {
  const data = join(folder, "by.db");
  const onStore = { DISPATCH_DATA: data };
  const run = (words: readonly string[], env: Record<string, string> = onStore, input = "") =>
    runCommand(words, { env, input });
  await run(["init", "--tenant", "Acme", "--location", "Main yard"]);
  await run(["customers", "create", "--location", "1", "--body", "-"], onStore, customerBody("Łukasz"));
  await run(["drivers", "create", "--location", "1", "--name", "Dana"]);
  await run(["trucks", "create", "--location", "1", "--name", "T", "--driver", "Dana"]);
  const dates = ["2026-10-31", "2026-11-02", "2126-01-05", "2026-11-03"];
  for (const date of dates) await run([...createJobWords, "--schedule-date", date, "--truck", "T"]);
  for (const id of ["1", "3"]) await run(["jobs", "complete", id, "--location", "1", "--yes"]);
  await run(["jobs", "fail", "2", "--location", "1"]);
  const made = await run(["tokens", "create", "--username", "owner", "-o", "json"]);
  const { end, env: onServer } = await serveStore(data, JSON.parse(made.stdout).token);
  for (const env of [onStore, onServer]) {
    const by = async (...words: string[]) =>
      JSON.parse((await run(["stats", "--by", ...words, "-o", "json"], env)).stdout);
    expect(await by("month", "--from", "2026-10-01", "--to", "2126-12-31")).toMatchObject([
      { month: "2026-10", jobs: 1, completed: 1, on_time: 0, on_time_percent: 0 },
      { month: "2026-11", jobs: 2, completed: 0, failed: 1, on_time_percent: null },
      { month: "2126-01", jobs: 1, completed: 1, on_time: 1, on_time_percent: 100 },
    ]);
    expect(await by("customer", "--month", "2026-11")).toMatchObject([{ customer: "Łukasz", jobs: 2 }]);
    expect(await by("truck", "--month", "2026-11")).toMatchObject([{ truck: "T", jobs: 2 }]);
    expect(await by("driver", "--month", "2026-11")).toMatchObject([{ driver: "Dana", failed: 1, jobs: 2 }]);
  }
  expect((await run(["stats", "--month", "last"])).stderr).toContain("--month, --from, and --to need --by.");
  await end();
});

it("requires --tenant if there are several, and a store instead of a server", async () => {
  const data = join(folder, "two.db");
  await runCommand(["init", "--data", data]);
  await runCommand(["tenants", "create", "--name", "Globex", "--data", data]);
  expect((await runCommand(["stats", "--data", data])).code).toBe(2);
  expect((await runCommand(["stats", "--data", data, "--tenant", "9"])).code).toBe(4);
  const { code, stderr } = await runCommand(["stats"], { env: { DISPATCH_URL: "http://127.0.0.1:1" } });
  expect([code, stderr]).toEqual([2, expect.stringContaining("works on a store")]);
});
