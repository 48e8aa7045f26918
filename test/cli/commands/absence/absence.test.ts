import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService } from "../../../../src/core/open-service.ts";
import { startServer } from "../../../../src/http/serve.ts";
import { runCommand } from "../../../support/command-line.ts";
import { createJobWords, seedStore } from "../../../support/seed-store.ts";
import { toWords } from "../../../support/shell-words.ts";
import { useTempFolder } from "../../../support/temp-folder.ts";
import { keys, typeCommand } from "../../../support/typed-command.ts";

const folder = useTempFolder();
const data = join(folder, "store.db");
const onStore = { DISPATCH_DATA: data };
let onServer: Record<string, string>;
let end: () => Promise<void>;

const run = (env: Record<string, string>, line: string) => runCommand(toWords(line), { env });

/** Job 3 is on Truck 7, which Dana drives, on January 5; job 4 is on no truck that day. */
beforeAll(async () => {
  const token = await seedStore((words, input = "") => runCommand(words, { env: onStore, input }));
  await run(onStore, "drivers create --location 1 --name 'Dana Reyes'");
  await run(onStore, "trucks update 1 --location 1 --driver dana");
  const create = `${createJobWords.join(" ")} --schedule-date 2027-01-05`;
  await run(onStore, `${create} --truck-id 1`);
  await run(onStore, create);
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
  ["store", () => onStore],
  ["server", () => onServer],
] as const)("an absence on a %s", (_, env) => {
  const off = "off Mon Jan 4 2027 – Wed Jan 6 2027 (sick)";

  it("names the jobs on its days and the commands that move them", async () => {
    const line = "drivers off dana --from 2027-01-04 --until 2027-01-06 --reason sick";
    const { stderr, stdout } = await run(env(), line);
    expect(stdout).toBe(`Dana Reyes is ${off}.\n`);
    expect(stderr).toContain("1 open job is planned for these days. To move them:");
    expect(stderr).toContain(`trucks hand-over "Truck 7" --to <truck> --date 2027-01-05`);
  });

  it("is on the board, in lists, and in the results of find", async () => {
    expect((await run(env(), "day 2027-01-05")).stdout).toContain(`Truck 7 · Dana Reyes ${off}`);
    expect((await run(env(), "day 2027-01-07")).stdout).not.toContain("sick");
    expect((await run(env(), "drivers list --location 1")).stdout).toContain(off);
    expect((await run(env(), "find dana")).stdout).toContain(off);
  });

  it("causes a warning when a job is assigned", async () => {
    const { code, stderr } = await run(env(), "jobs assign 4 --location 1 --truck 1");
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Dana Reyes is ${off}.`),
    });
    await run(env(), "jobs unassign 4 --location 1");
  });

  it("is replaced without a question only by one that shares a day", async () => {
    const later = await run(env(), "drivers off dana --from 2027-02-01 --until 2027-02-02");
    expect(later).toMatchObject({ code: 2, stderr: expect.stringContaining("Replace that absence?") });
    const longer = await run(env(), "drivers off dana --from 2027-01-04 --until 2027-01-08 --dry-run");
    expect(longer).toMatchObject({ code: 0, stdout: expect.stringContaining("would be off Mon Jan 4") });
  });

  it("ends with back, and undo restores it", async () => {
    const { stdout } = await run(env(), "drivers back dana");
    expect(stdout).toBe(`Dana Reyes is no longer ${off}.\n`);
    await run(env(), "undo --yes");
    expect((await run(env(), "find dana")).stdout).toContain(off);
    await run(env(), "drivers back dana");
    expect((await run(env(), "drivers back dana")).stdout).toBe("Dana Reyes is not off.\n");
  });
});

it("a truck is out of service until a day, and comes back", async () => {
  await run(onStore, "trucks off 'truck 7' --until tomorrow --reason brakes");
  const { stdout } = await run(onStore, "trucks list --location 1");
  expect(stdout).toContain("out of service until tomorrow (brakes)");
  expect((await run(onStore, "trucks back 1")).stdout).toBe("Truck 7 is back.\n");
});

it("a truck that goes out of service names its jobs of today", async () => {
  await run(onStore, `${createJobWords.join(" ")} --truck-id 1 --schedule-date +1m`);
  const { stderr } = await run(onStore, "trucks update 1 --location 1 --out-of-service");
  expect(stderr).toContain(
    'Truck 7 has 1 open job today. To move them:\n  dispatch-cli trucks hand-over "Truck 7" --to <truck>',
  );
  await run(onStore, "trucks back 1");
});

it("a driver with jobs on two trucks on one day causes a warning", async () => {
  await run(onStore, "trucks create --location 1 --name Spare --driver dana");
  const { stderr } = await run(onStore, "jobs assign 4 --location 1 --truck spare");
  expect(stderr).toContain("The driver of Spare has jobs on Truck 7 on Tue Jan 5 2027 too.");
  expect((await run(onStore, "day 2027-01-05")).stdout).toContain("driver also on Truck 7");
});

it("a picker shows an absence by the local day while UTC is already in the next day", async () => {
  const env = { DISPATCH_DATA: join(folder, "evening.db") };
  for (const line of [
    "init --sandbox --tenant Acme --location Yard --time-zone America/Denver",
    "clock set '2026-11-22 18:00'",
    "drivers create --name Dana",
    "trucks create --name 'Truck 7' --driver dana",
    "trucks create --name 'Truck 8'",
    "trucks off 'truck 7' --until today",
    "trucks off 'truck 8' --from tomorrow",
  ])
    expect([line, await run(env, line)]).toMatchObject([line, { code: 0 }]);
  const get = toWords("trucks get truck");
  const { stderr } = await typeCommand(get, env, [["Which truck", keys.enter]]);
  expect(stderr).toMatch(/Truck 7 .*out of service today .*Truck 8 .*out of service from tomorrow on/s);
});
