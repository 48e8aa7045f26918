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

const run = (env: Record<string, string>, line: string) => runCommand(line.split(" "), { env });

/** The jobs are on one street east of the yard. Their order zigzags. */
const longitudes = [3, 1, 4, 2];

beforeAll(async () => {
  const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  await run(onStore, "hooks delete 1 --yes");
  const yard = JSON.stringify({
    latitude: 1.5,
    longitude: 0,
    line_1: "1",
    locality: "L",
    postcode: "1",
    region: "R",
  });
  const kilometers = ["--distance-label", "km", "--time-zone", "Pacific/Auckland"];
  await runCommand(["locations", "update", "1", "--address", yard, ...kilometers], { env: onStore });
  for (const name of ["There", "Here"]) await run(onStore, `trucks create --location 1 --name ${name}`);
  for (const truck of ["2", "3"])
    for (const longitude of [...longitudes, 0]) {
      const latitude = longitude === 0 ? 0 : 1.5;
      const address = {
        country: "US",
        is_billing: false,
        is_shipping: true,
        latitude,
        line_1: `${truck}-${longitude}`,
        locality: "L",
        longitude,
        postcode: "1",
        region: "R",
      };
      const add = ["addresses", "add", "--customer", "1", "--body", "-", "-o", "json"];
      const added = await runCommand(add, { env: onStore, input: JSON.stringify(address) });
      const { id } = JSON.parse(added.stdout) as { id: number };
      const words = createJobWords.slice(0, -1).join(" ");
      await run(onStore, `${words} ${id} --truck-id ${truck} --schedule-date 2026-12-01`);
    }
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

describe.each([
  ["store", "There", () => onStore],
  ["server", "Here", () => onServer],
] as const)("jobs route on a %s", (_, truck, env) => {
  const route = async (words = "") => {
    const { stdout } = await run(env(), `jobs route ${truck.toLowerCase()} 2026-12-01 -o json${words}`);
    return JSON.parse(stdout);
  };

  it("proposes a shorter order, changes nothing, and lists what it ignores", async () => {
    const { code, stdout } = await run(env(), `jobs route ${truck} 2026-12-01`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^${truck}, .*: 5 stops, \\d+\\.\\d km now, \\d+\\.\\d km in this order$`, "m"),
    );
    expect(stdout).toContain("Ignored: roads, traffic, requested time windows");
    expect(stdout).toContain("Nothing was changed; --apply sets this order.");
    expect((await route()).jobs).toEqual((await route()).jobs);
  });

  it("follows the street and returns, with stops without coordinates at the end", async () => {
    const { applied, jobs, kilometers, without_coordinates } = await route();
    // Several orders have the same length: each visits every house on the way out or on the way back.
    expect(jobs.at(-1)?.was).toBe(5);
    expect(without_coordinates).toEqual([jobs.at(-1)?.id]);
    // The route is four degrees out and four degrees back.
    expect(kilometers.after).toBeCloseTo(889.3, 0);
    expect(kilometers.before).toBeGreaterThan(kilometers.after);
    expect(applied).toBe(false);
  });

  it("sets the order with one command, and then proposes the same order", async () => {
    const proposed = (await route()).jobs.map(({ id }: { id: number }) => id);
    const { stderr, stdout } = await run(env(), `jobs route ${truck} 2026-12-01 --apply --units mi`);
    expect(stderr).toMatch(new RegExp(`^truck \\d ${truck}$`, "m"));
    expect(stdout).toMatch(
      new RegExp(`^${truck}, .*: 5 stops in a new order, 552\\.6 mi instead of \\d+\\.\\d mi\\n$`),
    );
    const after = await route();
    expect(after.jobs.map(({ id }: { id: number }) => id)).toEqual(proposed);
    expect(after.jobs.map(({ was }: { was: number }) => was)).toEqual([1, 2, 3, 4, 5]);
    expect((await run(env(), `jobs route ${truck} 2026-12-01`)).stdout).toContain("already in this order");
  });
});

describe("jobs route", () => {
  it("keeps jobs of different times in the order of their times", async () => {
    const at = (hour: string) =>
      `${createJobWords.join(" ")} --truck-id 1 --schedule-date 2026-12-05T${hour}:00:00Z`;
    await run(onStore, at("01"));
    await run(onStore, at("02"));
    const { stdout } = await run(onStore, "jobs route 1 2026-12-05 -o json");
    expect(JSON.parse(stdout).jobs.map(({ was }: { was: number }) => was)).toEqual([1, 2]);
  });

  it.each([
    ["jobs route zebra", 5, 'There is no truck "zebra".'],
    ["jobs route 1 someday", 2, "is not a time"],
    ["jobs route 1 --location 99", 5, "Location 99 has no truck 1."],
  ])("refuses %s", async (line, code, reason) => {
    const answer = await run(onStore, line);
    expect(answer).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(reason) });
  });

  it("keeps completed jobs first, and continues from the last completed one", async () => {
    const list = async () => {
      const { stdout } = await run(onStore, "jobs list --truck-id 2 --all-states -o json");
      return (JSON.parse(stdout).results as { id: number }[]).map(({ id }) => id);
    };
    const ids = await list();
    const last = ids[2] ?? 0;
    await run(onStore, `jobs complete ${last} --location 1 --yes`);
    const reverse = [...ids].reverse().map((id) => `--jobs ${id}`);
    await run(onStore, `trucks order-jobs 2 --location 1 ${reverse.join(" ")}`);
    const { stdout } = await run(onStore, "jobs route there 2026-12-01");
    expect(stdout).toContain(`from job ${last}, which was completed last, to `);
    await run(onStore, "jobs route there 2026-12-01 --apply");
    const [first, ...others] = await list();
    expect([first, new Set(others)]).toEqual([last, new Set(ids.filter((id) => id !== last))]);
  });

  it("finds the truck by its driver", async () => {
    await run(onStore, "drivers create --location 1 --name Pat");
    await run(onStore, "drivers create --location 1 --name Quentin");
    await run(onStore, "trucks update 3 --location 1 --driver-id 2");
    expect((await run(onStore, "jobs route pat 2001-01-01")).stdout).toContain("Here has nothing to do");
    const free = await run(onStore, "jobs route quentin 2001-01-01");
    expect([free.code, free.stderr]).toEqual([5, expect.stringContaining("Quentin drives no truck")]);
  });

  it("reports a truck without jobs", async () => {
    expect((await run(onStore, "jobs route 1 2001-01-01")).stdout).toContain("has nothing to do on");
  });
});
