import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandSetting, runCommand } from "../support/command-line.ts";
import type { TestDatabase } from "../support/databases.ts";
import { createEmptyDatabase } from "../support/postgres-database.ts";
import { runProgram, serveStore } from "../support/program.ts";
import { seedStore } from "../support/seed-store.ts";

describe("the program on a PostgreSQL store", () => {
  let database: TestDatabase;
  let told: string;
  beforeEach(() => {
    database = createEmptyDatabase();
    told = "";
  });
  afterEach(() => database.remove());

  const run = async (words: string[], setting: CommandSetting = {}, start = runCommand) => {
    const env = { DISPATCH_DATA: database.data, DISPATCH_DEBUG: "1", ...setting.env };
    const result = await start(words, { ...setting, env });
    told += result.stdout + result.stderr;
    return result;
  };
  const password = () => new URL(database.data).password;
  const expectNoPassword = () => {
    for (const secret of [password(), decodeURIComponent(password())]) expect(told).not.toContain(secret);
  };

  it("needs only its address: `init`, commands and `serve` accept it, and show it without its password", async () => {
    const token = await seedStore((words, input) => run(words, input === undefined ? {} : { input }));
    const shown = new URL(database.data);
    shown.password = "";
    const { stdout } = await run(["whoami", "-o", "json"], {}, runProgram);
    expect(JSON.parse(stdout)).toMatchObject({
      target: shown.href,
      target_source: "DISPATCH_DATA",
      user: "owner",
    });
    const server = await serveStore(database.data);
    const answer = await fetch(`${server.url}/jobs`, {
      headers: { authorization: `Bearer ${token}`, "x-tenant-id": "1" },
    });
    expect(((await answer.json()) as { total_count: number }).total_count).toBe(2);
    expect(await server.end()).toBe(0);
    const listed = await run(["jobs", "list", "-o", "json"], {}, runProgram);
    expect([listed.code, listed.stderr]).toEqual([0, ""]);
    expectNoPassword();
  });

  it("refuses what a file store refuses, with the same exit codes", async () => {
    expect((await run(["jobs", "list"])).code).toBe(5);
    expect((await run(["serve", "--port", "0"])).code).toBe(5);
    expect((await run(["init"])).code).toBe(0);
    const before = database.contents();
    expect((await run(["init"])).code).toBe(6);
    expect((await run(["demo"])).code).toBe(6);
    expect(database.contents()).toEqual(before);
    const wrong = database.data.replace(password(), "wr0ng-pass");
    expect((await run(["jobs", "list"], { env: { DISPATCH_DATA: wrong } })).code).toBe(8);
    expect((await run(["serve", "--port", "0"], { env: { DISPATCH_DATA: wrong } })).code).toBe(8);
    const unreadable = database.data.replace(password(), "wr0ng#pass");
    expect((await run(["jobs", "list"], { env: { DISPATCH_DATA: unreadable } })).code).toBe(2);
    expect(told).not.toMatch(/wr0ng|#pass/);
    expectNoPassword();
  });

  it("is filled by `demo`", async () => {
    const { code, stdout } = await run(["demo", "--jobs", "50", "-o", "json"]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ location_id: 1, tenant_id: 1 }),
    ]);
    const jobs = await run(["jobs", "list", "--tenant", "1", "-o", "json", "--page-limit", "1"]);
    expect(JSON.parse(jobs.stdout).total_count).toBeGreaterThan(10);
    expectNoPassword();
  });
});
