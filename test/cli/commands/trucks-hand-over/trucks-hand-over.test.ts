import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../../../src/core/open-service.ts";
import { startServer } from "../../../../src/http/serve.ts";
import { runCommand } from "../../../support/command-line.ts";
import { createJobWords, seedStore } from "../../../support/seed-store.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";

const data = join(useTempFolder(), "store.db");
const onStore = { DISPATCH_DATA: data };
let onServer: Record<string, string>;
let end: () => Promise<void>;

const run = (env: Record<string, string>, words: string[]) => runCommand(words, { env });

/** Jobs 3 to 6 are without a time, at 8:00, at 14:00, and started. Job 1 is on the truck on another day. */
beforeAll(async () => {
  const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  const create = (...words: string[]) =>
    run(onStore, [...createJobWords, "--truck-id", "1", "--schedule-date", "2027-01-04", ...words]);
  await run(onStore, ["trucks", "create", "--location", "1", "--name", "Spare"]);
  await run(onStore, ["trucks", "create", "--location", "1", "--name", "Wreck", "--out-of-service"]);
  await create();
  await create("--desired-start-time", "2027-01-04 8:00", "--desired-end-time", "2027-01-04 9:00");
  await create("--desired-start-time", "2027-01-04 14:00", "--desired-end-time", "2027-01-04 15:00");
  await create();
  await run(onStore, ["jobs", "update", "6", "--location", "1", "--started-on", "+1m"]);
  const service = openService({ data });
  const quiet = { delivers: false, log: { write() {} }, logLevel: "silent" } as const;
  const server = await startServer(service, { ...quiet, host: "127.0.0.1", port: 0 });
  onServer = { DISPATCH_TOKEN: token, DISPATCH_URL: server.url };
  end = async () => {
    await server.close();
    await service.store.close();
  };
});

afterAll(() => end());

const handOver = (...words: string[]) => [
  ...["trucks", "hand-over", "truck 7", "--to", "spare", "--date", "2027-01-04"],
  ...words,
];

describe.each([
  ["store", () => onStore],
  ["server", () => onServer],
] as const)("trucks hand-over on a %s", (_, env) => {
  const plan = async (...words: string[]) =>
    JSON.parse((await run(env(), handOver("--dry-run", "-o", "json", ...words))).stdout);

  it.each([
    ["what is left of the day", [], [3, 4, 5], [6]],
    ["started jobs too on request", ["--started"], [3, 4, 5, 6], []],
    ["only later jobs and jobs without a time", ["--from", "noon"], [3, 5], [4, 6]],
  ])("plans to move %s, and moves nothing in a dry run", async (_name, words, jobs, stay) => {
    expect(await plan(...words)).toMatchObject({ jobs, moved: false, stay });
    expect(await plan()).toMatchObject({ jobs: [3, 4, 5] });
  });

  it("names the jobs before it asks", async () => {
    const { code, stderr } = await run(env(), handOver());
    expect(code).toBe(2);
    expect(stderr).toContain("Move 3 jobs (3, 4, 5) to Spare?");
    expect(stderr).toMatch(/^ {2}job 5 · Drop-off · 14:00–15:00 · Łukasz/m);
    expect(stderr).toContain("Not moved: job 6 in progress.");
  });

  it("moves all jobs in one step, and one undo moves them back", async () => {
    const { code, stdout } = await run(env(), handOver("--yes"));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        "3 jobs (3, 4, 5) moved from Truck 7 to Spare (no driver). `dispatch-cli undo` moves them back.\n",
    });
    expect(await plan()).toMatchObject({ jobs: [] });
    await run(env(), ["undo", "--yes"]);
    expect(await plan()).toMatchObject({ jobs: [3, 4, 5] });
  });
});

describe("trucks hand-over", () => {
  it.each([
    ["a truck that is out of service", ["--to", "wreck", "--yes"], 6, "out of service"],
    ["the same truck", ["--to", "truck 7"], 2, "must name a truck other than"],
    ["a time that is a day", ["--from", "fri"], 2, "--from takes a time of day"],
  ])("refuses %s and moves nothing", async (_name, words, code, reason) => {
    const answer = await run(onStore, handOver(...words));
    expect(answer).toMatchObject({ code, stderr: expect.stringContaining(reason) });
    const { stdout } = await run(onStore, handOver("--dry-run", "-o", "json"));
    expect(JSON.parse(stdout).jobs).toEqual([3, 4, 5]);
  });
});
