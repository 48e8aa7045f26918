import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { serveStore } from "../support/serve-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (line: string) => runCommand(line.split(" "), { env });

/** Runs a command and returns the job as the command shows it. */
async function shown(line: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(`${line} --location 1 -o json`);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function shownToken(): Promise<{ token: string }> {
  const { stdout } = await run("tokens create --username owner -o json");
  return JSON.parse(stdout) as { token: string };
}

beforeAll(async () => {
  await seedStore((words, input = "") => runCommand(words, { env, input }));
  // No receiver answers this webhook, so commands would print a note about pending deliveries.
  await run("hooks delete 1 --yes");
});

describe("the shorthands of jobs", () => {
  it("make one change each", async () => {
    expect(await shown("jobs assign 2 --truck-id 1")).toMatchObject({ truck_id: 1 });
    expect(await shown("jobs acknowledge 2 --driver-notes soon")).toMatchObject({
      driver_notes: "soon",
      is_acknowledged: true,
    });
    expect(await shown("jobs unassign 2 --new-schedule-date 2099-01-02")).toMatchObject({
      schedule_date: "2099-01-02T00:00:00.000000",
      truck_id: null,
    });
    expect(await shown("jobs assign 2 --truck-id 1")).toMatchObject({ is_acknowledged: false });
    expect(await shown("jobs decline 2")).toMatchObject({ is_declined: true });
    expect(await shown("jobs fail 2 --fail-reason Gate")).toMatchObject({
      fail_reason: "Gate",
      is_failed: true,
    });
    expect(await shown("jobs update 2 --is-failed false")).toMatchObject({ times_failed: 1 });
    expect(await shown("jobs complete 2 --completed-on 2026-01-02 --yes")).toMatchObject({
      completed_on: "2026-01-02T00:00:00.000000",
      is_completed: true,
    });
  });

  it("assign requires its truck, and accepts no other fields", async () => {
    expect(await run("jobs assign 2 --location 1")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Missing: --truck (--truck-id)"),
    });
    expect(await run("jobs complete 2 --location 1 --truck-id 1")).toMatchObject({ code: 2 });
  });

  it("delete asks first and requires --yes without a terminal, and restore reverts it", async () => {
    expect(await run("jobs delete 2 --location 1")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("1 Main St, Łódź) in"),
      stdout: "",
    });
    expect(await shown("jobs get 2")).toMatchObject({ is_deleted: false });
    expect(await run("jobs delete 2 --location 1 --dry-run -o json")).toMatchObject({ code: 0 });
    expect(await shown("jobs delete 2 --yes")).toMatchObject({ is_deleted: true });
    expect(await shown("jobs restore 2")).toMatchObject({ is_deleted: false });
  });

  it("are listed apart from the operations in the help, with a description", async () => {
    const { stdout } = await run("jobs --help");
    const [, shorthands = ""] = stdout.split("Shorthands:\n");
    expect([...shorthands.matchAll(/^ {2}(\w+) /gm)].map((match) => match[1])).toEqual([
      "complete",
      "fail",
      "acknowledge",
      "decline",
      "delete",
      "cancel",
      "restore",
      "assign",
      "unassign",
    ]);
    const help = (await run("jobs complete --help")).stdout;
    expect(help).toContain("Usage: dispatch-cli jobs complete [options] <id...>");
    expect(help).not.toContain("--body");
  });

  it("leave refusals to the operation", async () => {
    expect(await run("jobs unassign 2 --location 1")).toMatchObject({ code: 6, stdout: "" });
    await shown("jobs fail 1");
    expect(await run("jobs complete 1 --location 1")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("Job 1 has failed, so it cannot be completed."),
    });
  });
});

describe("the shorthands of jobs on several", () => {
  const several = (words: string, input = "") => runCommand(words.split(" "), { env, input });

  beforeAll(async () => {
    for (const _ of [1, 2, 3]) await run("jobs create --location 1 --type D --requested-by 1 --address-id 1");
  });

  it("process one job after the other, and report each on one line", async () => {
    const { code, stdout, stderr } = await several("jobs assign 3 4 3 --location 1 --truck-id 1");
    expect([code, stdout, stderr]).toEqual([0, "Job 3 → Truck 7\nJob 4 → Truck 7\n", ""]);
    expect(await shown("jobs get 4")).toMatchObject({ truck_id: 1 });
  });

  it("continue after an error, and exit with the code of the first", async () => {
    const answer = await several("jobs unassign 3 99 4 --location 1");
    expect(answer).toMatchObject({ code: 5, stdout: "Job 3 unassigned\nJob 4 unassigned\n" });
    expect(answer.stderr).toBe("error: job 99: There is no job 99.\n2 of 3 done.\n");
  });

  it("change nothing if one word matches no job, because it may be a reason without quotes", async () => {
    const answer = await several("jobs fail 3 gate locked --location 1");
    expect(answer).toMatchObject({ code: 5, stderr: expect.stringContaining('There is no job "gate".') });
    expect(await shown("jobs get 3")).toMatchObject({ is_failed: false });
  });

  it("print a list of records as data, and each error with its id", async () => {
    const { code, stdout, stderr } = await several("jobs assign 3 99 4 --location 1 --truck-id 1 -o json");
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 3, truck_id: 1 }, { id: 4 }]);
    expect(JSON.parse(stderr)).toMatchObject({ code: "record_not_found", id: "99", status: 404 });
    const csv = await several("jobs assign 3 4 --location 1 --truck-id 1 -o csv --fields id");
    expect(csv.stdout).toBe("id\r\n3\r\n4\r\n");
  });

  it("read ids from standard input, one per line", async () => {
    const { code, stdout } = await several("jobs acknowledge - 5 --location 1", "3\n\n4\r\n");
    expect([code, stdout]).toEqual([0, "Job 3 acknowledged\nJob 4 acknowledged\nJob 5 acknowledged\n"]);
    const alone = await several("jobs get 3 --location 1 -o json");
    expect(JSON.parse(alone.stdout)).toMatchObject({ is_acknowledged: true });
    expect(await several("jobs acknowledge - --location 1")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Standard input has no ID."),
    });
  });

  it("print a single record as usual, also if its id came from standard input", async () => {
    const { stdout } = await several("jobs acknowledge - --location 1 -o json", "3\n");
    expect(JSON.parse(stdout)).toMatchObject({ id: 3 });
  });

  it("change all or none with --atomic, and report that nothing was changed", async () => {
    const { token } = await shownToken();
    const { end, env: ofServer } = await serveStore(env.DISPATCH_DATA, token);
    onTestFinished(end);
    for (const target of [env, { ...ofServer, DISPATCH_CONFIG: join(env.DISPATCH_DATA, "none") }]) {
      const words = "jobs fail 3 99 4 --fail-reason Gate --location 1 --atomic".split(" ");
      expect(await runCommand(words, { env: target })).toEqual({
        code: 5,
        stderr: "error: job 99: There is no job 99.\nNothing was changed.\n",
        stdout: "",
      });
    }
    expect(await shown("jobs get 3")).toMatchObject({ is_failed: false });
    const done = await several("jobs fail 3 4 --fail-reason Gate --location 1 --atomic");
    expect([done.code, done.stdout.split("\n").length, done.stderr]).toEqual([0, 3, ""]);
    expect(await shown("jobs get 4")).toMatchObject({ is_failed: true });
    await several("jobs update 3 --is-failed false --location 1");
    await several("jobs update 4 --is-failed false --location 1");
    const many = Array.from({ length: 101 }, (_, index) => index + 1).join(" ");
    expect(await several(`jobs fail ${many} --location 1 --atomic`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("100 records at most, not 101"),
    });
  });

  it("store nothing in a dry run", async () => {
    const { code, stdout, stderr } = await several("jobs complete 3 4 --location 1 --dry-run");
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^Job 3 completed \d+:\d\d by owner\nJob 4 completed \d+:\d\d by owner\n$/),
      "dry run: nothing was stored\n",
    ]);
    expect(await shown("jobs get 3")).toMatchObject({ is_completed: false });
  });

  it("ask once for all, naming them, and require --yes without a terminal", async () => {
    expect(await several("jobs delete 3 4 --location 1")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("1 Main St, Łódź) in"),
    });
    expect(await several("jobs delete 3 4 --location 1 --yes")).toMatchObject({ code: 0 });
    expect(await shown("jobs get 4")).toMatchObject({ is_deleted: true });
    await several("jobs restore 3 4 --location 1");
  });
});

describe("jobs update --help", () => {
  it("describes the states of a job and the rights to change them, within 80 columns", async () => {
    const { stdout } = await run("jobs update --help-all");
    expect(stdout).toContain("Refused while the job is");
    expect(stdout).toMatch(/^ {2}dispatch +a truck_id +failed, completed, deleted$/m);
    expect(stdout).toMatch(/^ {2}Driver, ThirdPartyDriver:$/m);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
