import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Suite } from "../../src/cli/commands/conformance/compare.ts";
import { toComparable } from "../../src/cli/commands/conformance/run-steps.ts";
import { steps } from "../../src/cli/commands/conformance/steps.ts";
import { type CommandResult, runCommand } from "../support/command-line.ts";
import type { TestDatabase } from "../support/databases.ts";
import { postgres } from "../support/postgres-database.ts";
import { openPreparedStore } from "../support/prepared-store.ts";

describe("the conformance suite", () => {
  let database: TestDatabase;
  let result: CommandResult;
  beforeAll(async () => {
    // This store already has records of two tenants.
    ({ database } = await openPreparedStore(postgres));
    result = await runCommand(["conformance", "--postgres", database.data, "-o", "json"]);
  });
  afterAll(() => database.remove());

  it("gives the same results for a file, a database with records, and a server", () => {
    expect(result.stderr).not.toContain("error:");
    const suite = JSON.parse(result.stdout) as Suite;
    expect(suite.commands).toBe(steps.length);
    expect(suite.comparisons).toMatchObject([
      { differences: [], side: "SQLite" },
      { differences: [], side: "PostgreSQL" },
      { differences: [], side: "server" },
    ]);
    expect(result.code).toBe(0);
  });
});

describe("the comparison of two commands", () => {
  const step = { exitCode: 0, words: ["jobs", "get", "{job}", "-o", "json"] };
  const compare = (job: object, ids: { job: number; truck: number }) =>
    toComparable(
      { exitCode: 0, stderr: "", stdout: `${JSON.stringify(job)}\n` },
      step,
      new Map([
        ["job", { label: "job", id: ids.job }],
        ["truck", { label: "truck", id: ids.truck }],
      ]),
      [],
    ).stdout;

  it("ignores ids and times", () => {
    const one = { created_on: "2026-01-02T03:04:05.000000", id: 1, truck_id: 1 };
    const other = { created_on: "2027-01-02T03:04:06.000000", id: 17, truck_id: 4 };
    expect(compare(one, { job: 1, truck: 1 })).toBe(compare(other, { job: 17, truck: 4 }));
  });

  it.each([
    ["a reference to another record", { id: 17, truck_id: 17, weight: 5 }],
    ["another number", { id: 17, truck_id: 4, weight: 6 }],
    ["another type", { id: 17, truck_id: 4, weight: "5" }],
    ["a field less", { id: 17, truck_id: 4 }],
  ])("reports %s", (_what, other) => {
    const one = compare({ id: 1, truck_id: 2, weight: 5 }, { job: 1, truck: 2 });
    expect(compare(other, { job: 17, truck: 4 })).not.toBe(one);
  });
});
