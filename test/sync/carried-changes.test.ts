import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { startProgram, toExit } from "../support/program.ts";
import { makeEmptyStore, makeRichStore } from "../support/snapshot-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

// These tests copy whole tenants, record by record, which takes long.

const folder = useTempFolder();
const here = join(folder, "here.db");
const there = join(folder, "there.db");

beforeAll(async () => {
  await makeRichStore(here);
  await makeEmptyStore(there);
  await ok("push", "--data", here, "--with", there, "--yes");
});

const ok = async (...words: string[]) => {
  const { code, stdout, stderr } = await runCommand(words);
  expect([words.join(" "), code, stderr]).toEqual([words.join(" "), 0, expect.any(String)]);
  return stdout;
};
const change = (line: string, ...more: string[]) => ok(...line.split(" "), ...more, "--data", here);
const jobsBy = async (filter: (job: Record<string, unknown>) => boolean) => {
  const { results } = JSON.parse(await ok("jobs", "list", "--data", here, "-o", "json"));
  return (results as Record<string, unknown>[]).filter((job) => job.location_id === 1 && filter(job));
};
const idOf = async (filter: (job: Record<string, unknown>) => boolean) =>
  Number((await jobsBy(filter))[0]?.id);

/** Pushes local changes, and expects that nothing is left to push. Returns the output with the count. */
async function push(): Promise<string> {
  const told = await ok("push", "--data", here, "--with", there, "--yes");
  const { code, stdout } = await runCommand(["diff", "--data", here, "--with", there]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("They are equal.")]);
  return told;
}

describe("a push transfers the changes of jobs", () => {
  it("that are completed, failed, acknowledged, assigned and unassigned", async () => {
    const open = await jobsBy(
      (job) => job.truck_id === null && !job.is_deleted && !job.is_completed && !job.is_failed,
    );
    const [one, two, three] = open.map(({ id }) => Number(id));
    await change(`jobs assign ${one} --location 1 --truck-id 1`);
    await change(`jobs acknowledge ${one} --location 1`);
    await change(`jobs complete ${two} --location 1 --driver-notes Ende --yes`);
    await change(`jobs fail ${three} --location 1 --fail-reason Rain`);
    const declined = await idOf((job) => job.is_declined === true);
    await change(`jobs unassign ${declined} --location 1`);
    expect(await push()).toContain("0 created, 4 changed, ");
  });

  it("that are reopened, retried, restored and deleted", async () => {
    await change(
      `jobs update ${await idOf((job) => job.is_completed === true)} --location 1 --is-completed false`,
    );
    await change(`jobs update ${await idOf((job) => job.is_failed === true)} --location 1 --is-failed false`);
    const deleted = await idOf((job) => job.is_deleted === true && (job.images as unknown[]).length > 0);
    await change(`jobs restore ${deleted} --location 1`);
    await change(`jobs update ${deleted} --location 1 --flags back --priority -3`);
    await change(`jobs add-image ${deleted} --location 1 --image-url https://example.com/3.jpg`);
    const other = await idOf((job) => job.is_deleted === false && job.id !== deleted);
    await change(`jobs update ${other} --location 1 --flags last`);
    await change(`jobs delete ${other} --location 1 --yes`);
    expect(await push()).toContain("0 created, 3 changed, ");
  });

  it("that move between trucks and stay acknowledged", async () => {
    const moved = await idOf((job) => job.is_acknowledged === true);
    await change("trucks create --location 1 --name Other");
    const { results } = JSON.parse(
      await ok("trucks", "list", "--location", "1", "--data", here, "-o", "json"),
    );
    await change(`jobs assign ${moved} --location 1 --truck-id ${results.at(-1).id}`);
    await change(`jobs acknowledge ${moved} --location 1`);
    expect(await push()).toContain("1 created, 1 changed, ");
  });

  it("that are completed with a pickup date, whose pickup is a separate job", async () => {
    const job = await idOf(({ is_completed, is_deleted }) => is_completed === false && is_deleted === false);
    await change(`jobs update ${job} --location 1 --is-failed false --pickup-date 2099-01-01`);
    await push();
    await change(`jobs complete ${job} --location 1 --yes`);
    expect(await push()).toContain("1 created, 1 changed, ");
  });
});

describe("a push transfers the changes of customers", () => {
  it("their addresses, contacts, parents and coordinates", async () => {
    await change("addresses update 1 --customer 1 --line-1", "1 Main Street, 東");
    await change("addresses remove 3 --customer 1 --yes");
    await change("contacts update 1 --customer 1 --notify-on-new-request --number 555-0100");
    await change("contacts add --customer 1 --name New");
    await change("customers update 1 --name Renamed");
    await change("customers update 4 --parent-id 2");
    await change("customer-locations update 2 --customer 1 --is-active true --note Back");
    expect(await push()).toContain("0 created, 2 changed, ");
  });
});

describe("an import that is killed halfway", () => {
  it("is completed by the same command", async () => {
    const file = join(folder, "killed.ndjson");
    const data = join(folder, "killed.db");
    await ok("export", "all", "--data", here, "--out", file);
    await makeEmptyStore(data);
    const store = new SqliteDatabase(data, { readonly: true, timeout: 10_000 });
    for (const [table, rows] of [
      ["customers", 2],
      ["jobs", 3],
      ["jobs", 9],
    ] as const) {
      const count = store.prepare(`select count(*) from ${table}`).pluck();
      const child = startProgram(["import", "all", file, "--data", data, "--yes"]);
      const exited = toExit(child);
      let isOver = false;
      void exited.then(() => {
        isOver = true;
      });
      while (!isOver && Number(count.get()) < rows) await sleep(2);
      child.kill("SIGKILL");
      await exited;
    }
    store.close();
    await ok("import", "all", file, "--data", data, "--yes");
    const { code, stdout } = await runCommand(["diff", "--data", here, "--with", data]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("They are equal.")]);
  });
});
