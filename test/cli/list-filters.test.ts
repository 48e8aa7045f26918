import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { isOver, type JobMarks, jobStates, toJobState } from "../../src/models/job-state.ts";
import { runCommand } from "../support/command-line.ts";
import { seedStore } from "../support/seed-store.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const env = { DISPATCH_DATA: join(useTempFolder(), "store.db") };
const run = (line: string) => runCommand(line.split(" "), { env });
const ids = async (line: string) => (await run(line)).stdout.trim().split("\n").join(" ");

beforeAll(() => seedStore((words, input = "") => runCommand(words, { env, input })));

it("a filter by name matches a part of it, in every format; --exact and a * match the whole name", async () => {
  expect(await ids("customers list --name BĄCZ -q")).toBe("1");
  expect(JSON.parse((await run("customers list --name bącz -o json")).stdout).total_count).toBe(1);
  expect((await run("customers list --location 1 --name bącz -o csv")).stdout).toMatch(/Łukasz Bączek/);
  expect(await ids("locations customers 1 --name bącz -q")).toBe("1");
  expect(await ids("users list --location 1 --username wne -q")).toBe("1");
  expect((await run("export customers --name bącz")).stdout).toMatch(/Łukasz Bączek/);
  for (const none of ["--exact --name bącz", "--name bącz*"])
    expect(await ids(`customers list ${none} -q`)).toBe("");
  expect(await ids("customers list --name *bącz* -q")).toBe("1");
});

it("jobs list --open shows the jobs that need an action", async () => {
  const job = "jobs create --location 1 --type D --requested-by 1 --address-id 1 --schedule-date 2026-12-01";
  const ends = ["complete --yes", "fail", "delete --yes", "decline", "acknowledge"];
  for (const end of ends) {
    const { stdout } = await run(`${job} -o json`);
    const { id } = JSON.parse(stdout) as { id: number };
    await run(`jobs assign ${id} --truck-id 1`);
    const [verb, ...options] = end.split(" ");
    expect((await run(["jobs", verb, String(id), ...options].join(" "))).code).toBe(0);
  }
  const { results } = JSON.parse((await run("jobs list -o json")).stdout) as {
    results: (JobMarks & { id: number })[];
  };
  expect(new Set(results.map(toJobState))).toEqual(
    new Set(jobStates.filter((state) => state !== "in progress")),
  );
  const open = results.filter((one) => !isOver(toJobState(one))).map(({ id }) => id);
  expect(await ids("jobs list --open -q")).toBe(open.join(" "));
  expect(await ids("jobs list --location 1 --open -q")).toBe(open.join(" "));
  expect(await run("jobs list --open --completed")).toMatchObject({ code: 2, stdout: "" });
});
