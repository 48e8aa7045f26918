import { mkdtempSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { useTempFolder } from "../support/temp-folder.ts";

const folder = useTempFolder();
let home: string;
let env: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(folder, "home-"));
  // The program reads the platform's data folder from the environment of the process.
  vi.stubEnv("XDG_DATA_HOME", join(home, "data"));
  env = { DISPATCH_CONFIG: join(home, "config") };
});
afterEach(() => vi.unstubAllEnvs());

const run = (line: string, others: Record<string, string> = {}) =>
  runCommand(line.split(" "), { env: { ...env, ...others } });
const whoami = async (line = "whoami", others: Record<string, string> = {}) => {
  const { stdout } = await run(`${line} -o json`, others);
  const { target, target_source, tenant, tenant_source } = JSON.parse(stdout);
  return [target, target_source, tenant, tenant_source];
};

it("uses the last store of demo with its first tenant, and says so once; demo again says how", async () => {
  const data = join(home, "data/dispatch-cli/demo.db");
  const made = await run("demo --jobs 20");
  expect(made.stdout).toMatch(/Commands without another target use it.\nNext: dispatch-cli day\n/);
  const quiet = await run("jobs list -o json");
  expect([quiet.code, quiet.stderr]).toEqual([0, ""]);
  const first = await run("jobs list --all-states");
  expect([first.code, first.stderr]).toEqual([
    0,
    `No --data given: using ${data}, tenant 1, which demo created.\n`,
  ]);
  for (const line of ["day", "find potomac", "jobs list --all-states"]) {
    const { code, stderr } = await run(line);
    expect([line, code, stderr]).toEqual([line, 0, ""]);
  }
  expect(await whoami()).toEqual([data, "created last by demo", 1, "created last by demo"]);

  // With an existing store, `demo` prints how to use it in any environment, and --force replaces it.
  const again = await run("demo", { DISPATCH_CONFIG: join(home, "fresh") });
  expect([again.code, again.stderr, again.stdout]).toEqual([
    0,
    "",
    `The demo store ${data} already exists. \`dispatch-cli demo --force\` replaces it.
Commands without another target use it.
Next: dispatch-cli day
      dispatch-cli find potomac
`,
  ]);
  await run("trucks create --location 1 --name Zyxwvut");
  expect((await run("find zyxwvut")).code).toBe(0);
  expect((await run("demo --force --jobs 20")).code).toBe(0);
  expect((await run("find zyxwvut")).code).toBe(5);

  await run("init");
  const { stdout } = await run("demo");
  expect(stdout).toContain(`Next: dispatch-cli day --data ${data}\n`);
  expect((await run(`day --data ${data}`)).code).toBe(0);
});

it("is overridden by options, variables, profiles, and a store at the default path", async () => {
  const made = join(home, "made.db");
  const other = join(home, "other.db");
  const elsewhere = { DISPATCH_CONFIG: join(home, "elsewhere") };
  await run(`init --data ${other}`, elsewhere);
  await run(`init --data ${made}`);
  expect(await whoami()).toEqual([made, "created last by init", 1, "default"]);
  expect(await whoami(`whoami --data ${other}`)).toEqual([other, "--data", 1, "default"]);
  expect(await whoami("whoami", { DISPATCH_DATA: other })).toEqual([other, "DISPATCH_DATA", 1, "default"]);
  await run(`profiles add other --data ${other}`);
  expect(await whoami("whoami --profile other")).toEqual([other, "profile other", 1, "default"]);
  await run("init", elsewhere);
  expect(await whoami()).toEqual([join(home, "data/dispatch-cli/dispatch.db"), "default", 1, "default"]);
});

it("reports that the last store is missing, and does not use another one", async () => {
  await run(`init --data ${home}/made.db`);
  renameSync(join(home, "made.db"), join(home, "moved.db"));
  const { code, stderr } = await run("jobs list");
  expect([code, stderr]).toEqual([5, expect.stringContaining(`${home}/made.db is gone: init created it`)]);
});

it("creates no demo in place of a store with user data", async () => {
  await run(`init --data ${home}/own.db`);
  const { code, stderr } = await run(`demo --force --data ${home}/own.db`);
  expect([code, stderr]).toEqual([
    6,
    expect.stringContaining("is not a demo store, so demo did not change it"),
  ]);
});
