import { describe, expect, it } from "vitest";
import { apiVersions } from "../../src/models/api-versions.ts";
import { changes } from "../../src/models/versions/index.ts";
import type { VersionDifference } from "../../src/openapi/version-diff.ts";
import { runCommand } from "../support/command-line.ts";

async function diff(...words: string[]): Promise<VersionDifference[]> {
  const { code, stdout, stderr } = await runCommand(["versions", "diff", ...words, "-o", "json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as VersionDifference[];
}

describe("versions", () => {
  it("lists all six with their changes", async () => {
    for (const words of [["versions"], ["versions", "list"]]) {
      const { stdout } = await runCommand([...words, "-o", "json"]);
      const listed = JSON.parse(stdout) as { version: string; changes: string[] }[];
      expect(listed.map(({ version }) => version)).toEqual([...apiVersions]);
      expect(listed.flatMap((each) => each.changes)).toEqual(
        expect.arrayContaining(changes.map(({ text }) => text)),
      );
    }
    expect((await runCommand(["versions"])).stdout).toMatch(/^ +2019\/02\/08 +The first version\.$/m);
  });

  it("refuses other words, and suggests the nearest", async () => {
    const { code, stderr } = await runCommand(["versions", "dif"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Did you mean diff?")]);
  });
});

describe("versions diff", () => {
  it("shows an example of what each change did to every operation", async () => {
    const [renamed] = await diff("2019/02/08", "2021/04/07", "locations", "customer");
    expect(renamed?.before).toMatchObject({ customer_id: 17 });
    expect(renamed?.after).toMatchObject({ id: 17 });
    expect(renamed?.after).not.toHaveProperty("customer_id");
    const [job] = await diff("2021/08/02", "2021/11/04", "jobs.get");
    expect(job?.before).toMatchObject({
      created_by_id: expect.anything(),
      customer: { created_on: expect.any(String), locations: [{ customer_id: 17 }] },
    });
    expect(job?.after).toMatchObject({ created_by: expect.anything() });
    expect(await diff("2021/04/07", "2021/05/07")).toEqual([
      {
        operations: ["trucks update"],
        part: "request",
        before: { query: { driver_id: 17 } },
        after: { body: { driver_id: 17 } },
      },
    ]);
    expect(await diff("2021/08/02", "2021/11/04", "trucks", "job-list-pdf")).toEqual([
      expect.objectContaining({ part: "operation", after: null }),
    ]);
  });

  it("prints it as a diff, in colors on a terminal", async () => {
    const words = ["versions", "diff", "2021/08/02", "2021/11/04", "jobs", "get"];
    const plain = await runCommand(words);
    expect(plain.stdout).toMatch(/^jobs get: answer\n {2}\+ created_by: 1\n {2}- created_by_id: 1\n/);
    const shown = await runCommand(words, { columns: 80, env: { TERM: "xterm" } });
    expect(shown.stdout).toContain("\u001b[31m- created_by_id: 1\u001b[39m");
    expect(shown.stdout).toContain("\u001b[32m+ created_by: 1\u001b[39m");
  });

  it("compares in both directions, and reports equal versions", async () => {
    const [there] = await diff("2019/02/08", "2021/04/07", "customer-locations get");
    const [back] = await diff("2021/04/07", "2019/02/08", "customer-locations get");
    expect([back?.before, back?.after]).toEqual([there?.after, there?.before]);
    const same = await runCommand(["versions", "diff", "2021/11/04", "2023/04/19"]);
    expect(same).toEqual({
      code: 0,
      stdout: "",
      stderr: "2021/11/04 and 2023/04/19 are the same.\n",
    });
  });

  it.each([
    ["2019/02/08 2020/01/01", "2019/02/08, 2021/04/07"],
    ["2019/02/08", "needs a to"],
    ["2019/02/08 2021/04/07 jobs gt", "Did you mean jobs get?"],
  ])("refuses `%s`", async (words, reason) => {
    const { code, stdout, stderr } = await runCommand(["versions", "diff", ...words.split(" ")]);
    expect([code, stdout, stderr.toLowerCase()]).toEqual([
      2,
      "",
      expect.stringContaining(reason.toLowerCase()),
    ]);
  });
});
